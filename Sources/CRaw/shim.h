#ifndef CRAW_SHIM_H
#define CRAW_SHIM_H

#include <libraw/libraw.h>

#endif
