#ifndef CHEIF_SHIM_H
#define CHEIF_SHIM_H

#include <libheif/heif.h>
#include <libheif/heif_plugin.h>

#endif
