#ifndef CWEBP_SHIM_H
#define CWEBP_SHIM_H

#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>

// Swift cannot call what has the library's version as a hidden argument of a macro or an inline function.
static inline WebPAnimDecoder *cwebp_open(const uint8_t *bytes, size_t size) {
    WebPAnimDecoderOptions options;
    if (!WebPAnimDecoderOptionsInit(&options)) return NULL;
    options.color_mode = MODE_RGBA;
    WebPData data = {bytes, size};
    return WebPAnimDecoderNew(&data, &options);
}

static inline int cwebp_configure(WebPConfig *config, float quality) {
    return WebPConfigPreset(config, WEBP_PRESET_DEFAULT, quality);
}

static inline int cwebp_prepare(WebPPicture *picture) { return WebPPictureInit(picture); }

#endif
