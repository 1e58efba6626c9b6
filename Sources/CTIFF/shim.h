#ifndef CTIFF_SHIM_H
#define CTIFF_SHIM_H

#include <tiffio.h>

// Swift cannot call functions of a variable number of arguments.
static inline int ctiff_short(TIFF *file, uint32_t tag, uint16_t *value) {
    return TIFFGetFieldDefaulted(file, tag, value);
}

static inline int ctiff_long(TIFF *file, uint32_t tag, uint32_t *value) {
    return TIFFGetFieldDefaulted(file, tag, value);
}

static inline int ctiff_profile(TIFF *file, uint32_t *count, void **bytes) {
    return TIFFGetField(file, TIFFTAG_ICCPROFILE, count, bytes);
}

static inline int ctiff_extra_samples(TIFF *file, uint16_t *count, uint16_t **kinds) {
    return TIFFGetField(file, TIFFTAG_EXTRASAMPLES, count, kinds);
}

static inline int ctiff_palette(TIFF *file, uint16_t **red, uint16_t **green, uint16_t **blue) {
    return TIFFGetField(file, TIFFTAG_COLORMAP, red, green, blue);
}

static inline int ctiff_subsampling(TIFF *file, uint16_t *across, uint16_t *down) {
    return TIFFGetFieldDefaulted(file, TIFFTAG_YCBCRSUBSAMPLING, across, down);
}

static inline int ctiff_floats(TIFF *file, uint32_t tag, float **values) {
    return TIFFGetFieldDefaulted(file, tag, values);
}

static inline int ctiff_directories_below(TIFF *file, uint16_t *count, uint64_t **offsets) {
    return TIFFGetField(file, TIFFTAG_SUBIFD, count, offsets);
}

static inline int ctiff_set(TIFF *file, uint32_t tag, int value) { return TIFFSetField(file, tag, value); }

static inline int ctiff_set_subsampling(TIFF *file, int across, int down) {
    return TIFFSetField(file, TIFFTAG_YCBCRSUBSAMPLING, across, down);
}

static inline int ctiff_set_extra_samples(TIFF *file, uint16_t count, uint16_t *kinds) {
    return TIFFSetField(file, TIFFTAG_EXTRASAMPLES, count, kinds);
}

static inline int ctiff_set_palette(TIFF *file, uint16_t *red, uint16_t *green, uint16_t *blue) {
    return TIFFSetField(file, TIFFTAG_COLORMAP, red, green, blue);
}

#endif
