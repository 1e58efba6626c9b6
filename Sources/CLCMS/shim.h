#ifndef CLCMS_SHIM_H
#define CLCMS_SHIM_H

#include <lcms2.h>

// Swift cannot import this: it is made by function-like macros.
static const cmsUInt32Number clcms_rgb8 = TYPE_RGB_8;

#endif
