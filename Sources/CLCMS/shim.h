#ifndef CLCMS_SHIM_H
#define CLCMS_SHIM_H

#include <lcms2.h>

// Swift cannot import these: they are made by function-like macros.
static const cmsUInt32Number clcms_rgb8 = TYPE_RGB_8;
// Grey in the first byte of a pixel of three.
static const cmsUInt32Number clcms_grey8 = COLORSPACE_SH(PT_GRAY) | EXTRA_SH(2) | CHANNELS_SH(1) | BYTES_SH(1);
static const cmsUInt32Number clcms_cmyk8 = TYPE_CMYK_8;
static const cmsUInt32Number clcms_lab8 = TYPE_Lab_8;

#endif
