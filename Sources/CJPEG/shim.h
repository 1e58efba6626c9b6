#ifndef CJPEG_SHIM_H
#define CJPEG_SHIM_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

// libjpeg ends the process on errors unless told otherwise, and a longjmp must not cross Swift's frames: each call
// that may fail sets its own mark.

typedef struct {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    jmp_buf mark;
    char message[JMSG_LENGTH_MAX];
} cjpeg_reader;

static inline void cjpeg_failed(j_common_ptr info) {
    cjpeg_reader *reader = info->client_data;
    info->err->format_message(info, reader->message);
    longjmp(reader->mark, 1);
}

// Damage that does not stop the decoder.
static inline void cjpeg_warned(j_common_ptr info, int level) {
    cjpeg_reader *reader = info->client_data;
    if (level < 0) info->err->format_message(info, reader->message);
}

static inline void cjpeg_close(cjpeg_reader *reader) {
    jpeg_destroy_decompress(&reader->info);
    free(reader);
}

// Reads the headers; NULL where that fails, with the reason in message.
static inline cjpeg_reader *cjpeg_open(const uint8_t *bytes, size_t count, char *message, size_t length) {
    cjpeg_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->info.err = jpeg_std_error(&reader->errors);
    reader->info.client_data = reader;
    reader->errors.error_exit = cjpeg_failed;
    reader->errors.emit_message = cjpeg_warned;
    if (setjmp(reader->mark)) {
        strncpy(message, reader->message, length - 1);
        cjpeg_close(reader);
        return NULL;
    }
    jpeg_create_decompress(&reader->info);
    jpeg_mem_src(&reader->info, bytes, count);
    jpeg_save_markers(&reader->info, JPEG_APP0 + 2, 0xFFFF);
    jpeg_read_header(&reader->info, TRUE);
    return reader;
}

// Chooses bytes of grey, colours or four inks, and the size; returns bytes a pixel, 0 on failure.
static inline int cjpeg_start(cjpeg_reader *reader, int halvings) {
    if (setjmp(reader->mark)) return 0;
    reader->info.scale_num = 8 >> halvings;
    reader->info.scale_denom = 8;
    switch (reader->info.num_components) {
    case 1: reader->info.out_color_space = JCS_GRAYSCALE; break;
    case 4: reader->info.out_color_space = JCS_CMYK; break;
    default: reader->info.out_color_space = JCS_RGB;
    }
    jpeg_start_decompress(&reader->info);
    return reader->info.output_components;
}

static inline int cjpeg_row(cjpeg_reader *reader, uint8_t *row) {
    if (setjmp(reader->mark)) return 0;
    return jpeg_read_scanlines(&reader->info, &row, 1) == 1;
}

// The ICC profile, which the caller frees; NULL without one.
static inline uint8_t *cjpeg_profile(cjpeg_reader *reader, uint32_t *count) {
    JOCTET *bytes = NULL;
    unsigned int length = 0;
    if (setjmp(reader->mark) || !jpeg_read_icc_profile(&reader->info, &bytes, &length)) return NULL;
    *count = length;
    return bytes;
}

#endif
