package import CFFmpeg

/// A decoder for one stream of pictures, closed with its owner.
package struct Decoder: ~Copyable {
    private let context: UnsafeMutablePointer<AVCodecContext>

    /// Settings that must be known before a decoder opens.
    package struct Options {
        var maxPixels: Int
        /// How often the size is halved while decoding, 0 to 3, if the codec can.
        var halvings: Int
        /// Whether the filters against block edges may be skipped.
        var isQuick: Bool
        /// The decoder's own options by name.
        package var own: [(String, String)]

        /// - Parameters: As the properties; a picture of more than `maxPixels` is refused.
        package init(maxPixels: Int, halvings: Int = 0, isQuick: Bool = false, own: [(String, String)] = []) {
            self.maxPixels = maxPixels
            self.halvings = halvings
            self.isQuick = isQuick
            self.own = own
        }
    }

    private init(_ codec: UnsafePointer<AVCodec>) throws(FFmpegError) {
        context = try FFmpegError.check(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    }

    /// The decoder called `name`, with `parameters` from the container where there is one.
    package static func opened(
        _ name: String, parameters: UnsafePointer<AVCodecParameters>? = nil, options: Options
    ) throws(FFmpegError) -> Decoder {
        guard let codec = avcodec_find_decoder_by_name(name) else {
            throw FFmpegError(call: "avcodec_find_decoder_by_name", code: cffmpeg_error_no_decoder)
        }
        let decoder = try Decoder(codec)
        let context = decoder.context
        if let parameters {
            try FFmpegError.check(
                avcodec_parameters_to_context(context, parameters), "avcodec_parameters_to_context")
        }
        context.pointee.max_pixels = Int64(options.maxPixels)
        context.pointee.lowres = min(Int32(options.halvings), Int32(codec.pointee.max_lowres))
        if options.isQuick { context.pointee.skip_loop_filter = AVDISCARD_ALL }
        for (name, value) in options.own { av_opt_set(context, name, value, AV_OPT_SEARCH_CHILDREN) }
        // Several workers share the cores, which also keeps each one's memory small.
        context.pointee.thread_count = 1
        try FFmpegError.check(avcodec_open2(context, codec, nil), "avcodec_open2")
        return decoder
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// Passes coded bytes to the decoder; throws where they are damaged.
    package func send(_ packet: borrowing Packet) throws(FFmpegError) {
        try check(avcodec_send_packet(context, packet.pointer), "avcodec_send_packet")
    }

    /// Signals the end of the input, so that the decoder returns the frames it still holds.
    package func finish() {
        avcodec_send_packet(context, nil)
    }

    /// The next picture, or `nil` when the decoder needs more bytes or has none left.
    package func receive() throws(FFmpegError) -> Frame? {
        let frame = try Frame()
        let code = avcodec_receive_frame(context, frame.pointer)
        if code == cffmpeg_error_try_again || code == cffmpeg_error_end_of_file { return nil }
        try check(code, "avcodec_receive_frame")
        return frame
    }

    /// FFmpeg has no code for sizes above our limit, or above its own (two gigabytes at eight bytes a pixel).
    private func check(_ code: Int32, _ call: String) throws(FFmpegError) {
        if code < 0, code != cffmpeg_error_out_of_memory, let size = DecoderLog.refusedSize {
            let limit = min(Int(context.pointee.max_pixels), Int(Int32.max) / 8)
            throw .tooLarge(size.width, size.height, limit: limit, call)
        }
        try FFmpegError.check(code, call)
    }

    /// Discards the decoder's state, after a seek or after `finish`.
    package func reset() {
        avcodec_flush_buffers(context)
    }
}
