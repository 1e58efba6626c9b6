#ifndef CPNG_SHIM_H
#define CPNG_SHIM_H

#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// libpng reports errors by longjmp, which must not cross Swift's frames: each call that may fail sets its own mark.

typedef struct {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t count, offset;
    int passes;
    char message[128];
} cpng_reader;

static inline void cpng_failed(png_structp png, png_const_charp words) {
    cpng_reader *reader = png_get_error_ptr(png);
    strncpy(reader->message, words, sizeof reader->message - 1);
    png_longjmp(png, 1);
}

static inline void cpng_warned(png_structp png, png_const_charp words) {}

static inline void cpng_read(png_structp png, png_bytep target, size_t length) {
    cpng_reader *reader = png_get_io_ptr(png);
    if (length > reader->count - reader->offset) png_error(png, "the file ends too early");
    memcpy(target, reader->bytes + reader->offset, length);
    reader->offset += length;
}

static inline void cpng_close(cpng_reader *reader) {
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

// Reads up to the first byte of the pixels; NULL where that fails, with the reason in message.
static inline cpng_reader *cpng_open(const uint8_t *bytes, size_t count, char *message, size_t length) {
    cpng_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->bytes = bytes;
    reader->count = count;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, cpng_failed, cpng_warned);
    reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
    if (!reader->info || setjmp(png_jmpbuf(reader->png))) {
        strncpy(message, reader->message, length - 1);
        cpng_close(reader);
        return NULL;
    }
    png_set_read_fn(reader->png, reader, cpng_read);
    png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // A wrong check sum is no reason to show nothing; damage to the pixels shows when they are unpacked.
    png_set_crc_action(reader->png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    png_set_benign_errors(reader->png, 1);
    png_read_info(reader->png, reader->info);
    return reader;
}

// Chooses bytes of grey, colours, or colours with alpha; returns bytes a pixel, 0 on failure.
static inline int cpng_start(cpng_reader *reader) {
    if (setjmp(png_jmpbuf(reader->png))) return 0;
    png_set_expand(reader->png);
    png_set_scale_16(reader->png);
    if (png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_ALPHA ||
        png_get_valid(reader->png, reader->info, PNG_INFO_tRNS))
        png_set_gray_to_rgb(reader->png);
    reader->passes = png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    return png_get_channels(reader->png, reader->info);
}

// Reads the next row; a pass of an interlaced picture also fills the pixels that later passes refine.
static inline int cpng_row(cpng_reader *reader, uint8_t *row) {
    if (setjmp(png_jmpbuf(reader->png))) return 0;
    if (reader->passes > 1) png_read_row(reader->png, NULL, row);
    else png_read_row(reader->png, row, NULL);
    return 1;
}

// Reads what follows the pixels, such as texts.
static inline int cpng_finish(cpng_reader *reader) {
    if (setjmp(png_jmpbuf(reader->png))) return 0;
    png_read_end(reader->png, reader->info);
    return 1;
}

static inline uint32_t cpng_width(const cpng_reader *reader) { return png_get_image_width(reader->png, reader->info); }
static inline uint32_t cpng_height(const cpng_reader *reader) {
    return png_get_image_height(reader->png, reader->info);
}

static inline const uint8_t *cpng_profile(const cpng_reader *reader, uint32_t *count) {
    png_charp name = NULL;
    png_bytep bytes = NULL;
    int method = 0;
    return png_get_iCCP(reader->png, reader->info, &name, &method, &bytes, count) ? bytes : NULL;
}

static inline const char *cpng_text(const cpng_reader *reader, const char *key) {
    png_textp texts = NULL;
    int count = 0;
    png_get_text(reader->png, reader->info, &texts, &count);
    for (int index = 0; index < count; index++)
        if (texts[index].key && !strcmp(texts[index].key, key)) return texts[index].text;
    return NULL;
}

#endif
