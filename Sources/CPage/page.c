// The files of the gallery page, embedded by the compiler: what a Swift array literal would take 14 s of a build for
// (150 KB), this takes milliseconds for, and a changed file is noticed. A new file gets its lines here.
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "../Dashboard/Page/index.html"
};
static const unsigned char style_css[] = {
#embed "../Dashboard/Page/style.css"
};

#define PAGE_FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct cpage_file files[] = {
    PAGE_FILE("index.html", index_html),
    PAGE_FILE("style.css", style_css),
};

size_t cpage_count(void) { return sizeof files / sizeof *files; }

struct cpage_file cpage_file(size_t index) { return files[index]; }
