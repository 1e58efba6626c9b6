#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

// Prototypes that the Glibc module lacks, since it is imported without _GNU_SOURCE.
#include <sys/types.h>

int pipe2(int descriptors[2], int flags);

#endif
