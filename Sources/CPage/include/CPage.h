#pragma once
#include <stddef.h>

/// One file of the gallery page, in the program's read-only data.
struct cpage_file {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// How many files there are.
size_t cpage_count(void);

/// The file at an index below `cpage_count()`.
struct cpage_file cpage_file(size_t index);
