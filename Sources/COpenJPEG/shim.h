#ifndef COPENJPEG_SHIM_H
#define COPENJPEG_SHIM_H

// Its folder carries the version, which is the same for every distribution since 2022.
#include <openjpeg-2.5/openjpeg.h>

#endif
