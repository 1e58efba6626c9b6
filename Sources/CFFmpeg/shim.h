#ifndef CFFMPEG_SHIM_H
#define CFFMPEG_SHIM_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

// Swift cannot import these: they are made by function-like macros or casts.
static const int cffmpeg_error_end_of_file = AVERROR_EOF;
static const int cffmpeg_error_try_again = AVERROR(EAGAIN);
static const int cffmpeg_error_not_permitted = AVERROR(EPERM);
static const int cffmpeg_error_out_of_memory = AVERROR(ENOMEM);
static const int cffmpeg_error_invalid_data = AVERROR_INVALIDDATA;
static const int cffmpeg_error_external = AVERROR_EXTERNAL;
static const int cffmpeg_error_not_implemented = AVERROR_PATCHWELCOME;
static const int cffmpeg_error_no_decoder = AVERROR_DECODER_NOT_FOUND;
static const int cffmpeg_error_no_encoder = AVERROR_ENCODER_NOT_FOUND;
static const int64_t cffmpeg_no_time = AV_NOPTS_VALUE;
static const int cffmpeg_padding = AV_INPUT_BUFFER_PADDING_SIZE;

static inline int cffmpeg_error_of_errno(int code) { return AVERROR(code); }

#endif
