#ifndef COPENEXR_SHIM_H
#define COPENEXR_SHIM_H

#include <OpenEXR/openexr.h>

#endif
