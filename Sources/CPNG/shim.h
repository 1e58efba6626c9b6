#ifndef CPNG_SHIM_H
#define CPNG_SHIM_H

#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// libpng reports errors by longjmp, which must not cross Swift's frames: each call that may fail sets its own mark.

typedef struct {
    png_structp png;
    png_infop info;
    // The file, or the part of it that was read last; it follows the reader in memory.
    const uint8_t *bytes;
    size_t count, offset;
    // The file of which only parts are in memory, and the place of the next one.
    int descriptor;
    off_t next;
    // The unpacked pixels, which take the place of the file's bytes from first to after; none where count is 0.
    struct {
        const uint8_t *bytes;
        size_t count, first, after, at;
        uint32_t sum;
    } pixels;
    int passes;
    char message[128];
} cpng_reader;

static inline void cpng_failed(png_structp png, png_const_charp words) {
    cpng_reader *reader = png_get_error_ptr(png);
    strncpy(reader->message, words, sizeof reader->message - 1);
    png_longjmp(png, 1);
}

static inline void cpng_warned(png_structp png, png_const_charp words) {}

enum { cpng_part = 1 << 17, cpng_block = 65535, cpng_start_length = 10, cpng_block_start_length = 5, cpng_end_length = 8 };

// Copies the next bytes of a chunk that holds the pixels as zlib stores them unpacked (RFC 1951, 3.2.4): libpng then
// only undoes the filters. Returns 0 at its end.
static inline size_t cpng_read_pixels(cpng_reader *reader, uint8_t *target, size_t length) {
    const size_t count = reader->pixels.count, at = reader->pixels.at;
    const size_t blocks = (count + cpng_block - 1) / cpng_block;
    const size_t end = cpng_start_length + blocks * cpng_block_start_length + count;
    uint8_t made[cpng_start_length];
    const uint8_t *source = made;
    size_t left;
    if (at < cpng_start_length) {
        const size_t inside = end - 8 + 4;
        const uint8_t start[cpng_start_length] = {inside >> 24, inside >> 16, inside >> 8, inside, 'I', 'D', 'A', 'T', 0x78, 1};
        memcpy(made, start, sizeof start);
        source = made + at;
        left = cpng_start_length - at;
    } else if (at < end) {
        const size_t block = (at - cpng_start_length) / (cpng_block + cpng_block_start_length);
        const size_t inside = (at - cpng_start_length) % (cpng_block + cpng_block_start_length);
        const size_t rest = count - block * cpng_block, size = rest < cpng_block ? rest : cpng_block;
        const uint8_t start[] = {rest <= cpng_block, size, size >> 8, ~size, ~size >> 8};
        memcpy(made, start, sizeof start);
        const int is_start = inside < cpng_block_start_length;
        source = is_start ? made + inside : reader->pixels.bytes + block * cpng_block + inside - cpng_block_start_length;
        left = (is_start ? cpng_block_start_length : cpng_block_start_length + size) - inside;
    } else if (at < end + cpng_end_length) {
        const uint32_t sum = reader->pixels.sum;
        const uint8_t last[cpng_end_length] = {sum >> 24, sum >> 16, sum >> 8, sum};
        memcpy(made, last, sizeof last);
        source = made + (at - end);
        left = end + cpng_end_length - at;
    } else {
        return 0;
    }
    if (left > length) left = length;
    memcpy(target, source, left);
    reader->pixels.at += left;
    return left;
}

static inline void cpng_read(png_structp png, png_bytep target, size_t length) {
    cpng_reader *reader = png_get_io_ptr(png);
    while (length > 0) {
        if (reader->pixels.count && reader->offset == reader->pixels.first) {
            size_t read = cpng_read_pixels(reader, target, length);
            if (read == 0) reader->offset = reader->pixels.after;
            target += read;
            length -= read;
            continue;
        }
        size_t left = reader->count - reader->offset;
        if (reader->pixels.count && reader->offset < reader->pixels.first) left = reader->pixels.first - reader->offset;
        if (left > length) left = length;
        if (left == 0) png_error(png, "the file ends too early");
        memcpy(target, reader->bytes + reader->offset, left);
        reader->offset += left;
        target += left;
        length -= left;
    }
}

// Reads the next part of a file of which only parts are in memory.
static inline void cpng_read_part(png_structp png, png_bytep target, size_t length) {
    cpng_reader *reader = png_get_io_ptr(png);
    while (length > 0) {
        if (reader->offset == reader->count) {
            ssize_t read = pread(reader->descriptor, reader + 1, cpng_part, reader->next);
            if (read <= 0) png_error(png, "the file ends too early");
            reader->next += read;
            reader->count = read;
            reader->offset = 0;
        }
        size_t left = reader->count - reader->offset;
        if (left > length) left = length;
        memcpy(target, reader->bytes + reader->offset, left);
        reader->offset += left;
        target += left;
        length -= left;
    }
}

static inline void cpng_close(cpng_reader *reader) {
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

// A reader that cpng_begin is to start.
static inline cpng_reader *cpng_make(const uint8_t *bytes, size_t count) {
    cpng_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->bytes = bytes;
    reader->count = count;
    reader->descriptor = -1;
    return reader;
}

// A reader of a file of which only parts are to be in memory.
static inline cpng_reader *cpng_make_in_parts(int descriptor) {
    cpng_reader *reader = calloc(1, sizeof *reader + cpng_part);
    if (!reader) return NULL;
    reader->bytes = (const uint8_t *)(reader + 1);
    reader->descriptor = descriptor;
    return reader;
}

// Puts the unpacked pixels, of which sum is the check sum, in the place of the chunks from first to after.
static inline void cpng_put_pixels(
    cpng_reader *reader, const uint8_t *bytes, size_t count, uint32_t sum, size_t first, size_t after) {
    reader->pixels.bytes = bytes;
    reader->pixels.count = count;
    reader->pixels.sum = sum;
    reader->pixels.first = first;
    reader->pixels.after = after;
}

// Reads up to the first byte of the pixels; where that fails, frees the reader and returns 0, with the reason in message.
static inline int cpng_begin(cpng_reader *reader, char *message, size_t length) {
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, cpng_failed, cpng_warned);
    reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
    if (!reader->info || setjmp(png_jmpbuf(reader->png))) {
        strncpy(message, reader->message, length - 1);
        cpng_close(reader);
        return 0;
    }
    png_set_read_fn(reader->png, reader, reader->descriptor < 0 ? cpng_read : cpng_read_part);
    png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // A wrong check sum is no reason to show nothing; damage to the pixels shows when they are unpacked.
    png_set_crc_action(reader->png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    png_set_benign_errors(reader->png, 1);
#ifdef PNG_IGNORE_ADLER32
    // Of pixels that were unpacked before, it has been compared then.
    if (reader->pixels.count) png_set_option(reader->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
#endif
    png_read_info(reader->png, reader->info);
    return 1;
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
