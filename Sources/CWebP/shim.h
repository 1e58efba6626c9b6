#ifndef CWEBP_SHIM_H
#define CWEBP_SHIM_H

#include <webp/decode.h>
#include <webp/demux.h>

// Swift cannot call what has the library's version as a hidden argument of a macro or an inline function.
static inline WebPAnimDecoder *cwebp_open(const uint8_t *bytes, size_t size) {
    WebPAnimDecoderOptions options;
    if (!WebPAnimDecoderOptionsInit(&options)) return NULL;
    options.color_mode = MODE_RGBA;
    WebPData data = {bytes, size};
    return WebPAnimDecoderNew(&data, &options);
}

#endif
