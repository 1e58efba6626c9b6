package import CFFmpeg

/// An encoder for pictures, closed with its owner.
package struct Encoder: ~Copyable {
    /// FFmpeg's own structure, valid as long as the encoder.
    package let context: UnsafeMutablePointer<AVCodecContext>

    /// What an encoder must know before its first frame.
    package struct Settings {
        /// Pixels.
        var width: Int
        /// Pixels.
        var height: Int
        /// How the pixels lie in memory.
        var format: AVPixelFormat
        /// FFmpeg's quantizer scale, 2 (fine) to 31 (coarse), for codecs that take one.
        package var scale: Int32?
        /// The time base.
        package var framesPerSecond: Int32 = 25
        /// Width of a pixel over its height.
        package var pixelAspect = AVRational(num: 1, den: 1)
        /// Frames from one key frame to the next.
        package var keyInterval: Int32?
        /// The matrix; written into the stream if the codec can express it, as are primaries and curve.
        package var matrix = AVCOL_SPC_UNSPECIFIED
        /// The primaries.
        package var primaries = AVCOL_PRI_UNSPECIFIED
        /// The curve.
        package var transfer = AVCOL_TRC_UNSPECIFIED
        /// Whether the container needs the codec's headers separately from the frames.
        package var hasGlobalHeader = false
        /// The encoder's own options, such as x264's `preset`.
        package var options: [(String, String)] = []

        /// The settings of an encoder for pictures of this size in pixels.
        package init(width: Int, height: Int, format: AVPixelFormat) {
            self.width = width
            self.height = height
            self.format = format
        }
    }

    private init(_ codec: UnsafePointer<AVCodec>) throws(FFmpegError) {
        context = try FFmpegError.check(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    }

    /// The encoder called `name`; nothing it writes names the library or its version.
    package static func opened(_ name: String, _ settings: Settings) throws(FFmpegError) -> Encoder {
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw FFmpegError(call: "avcodec_find_encoder_by_name", code: cffmpeg_error_no_encoder)
        }
        let encoder = try Encoder(codec)
        apply(settings, to: &encoder.context.pointee)
        for (option, value) in settings.options {
            try FFmpegError.check(
                av_opt_set(encoder.context, option, value, AV_OPT_SEARCH_CHILDREN), "av_opt_set \(option)")
        }
        try FFmpegError.check(avcodec_open2(encoder.context, codec, nil), "avcodec_open2")
        return encoder
    }

    /// The encoder called `name` for sound of one channel.
    package static func openedForSound(_ name: String, rate: Int, hasGlobalHeader: Bool) throws(FFmpegError) -> Encoder
    {
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw FFmpegError(call: "avcodec_find_encoder_by_name", code: cffmpeg_error_no_encoder)
        }
        let encoder = try Encoder(codec)
        let context = encoder.context
        context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
        context.pointee.sample_rate = Int32(rate)
        context.pointee.time_base = AVRational(num: 1, den: Int32(rate))
        context.pointee.bit_rate = 64_000
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT | (hasGlobalHeader ? AV_CODEC_FLAG_GLOBAL_HEADER : 0)
        av_channel_layout_default(&context.pointee.ch_layout, 1)
        try FFmpegError.check(avcodec_open2(context, codec, nil), "avcodec_open2")
        return encoder
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    private static func apply(_ settings: Settings, to context: inout AVCodecContext) {
        context.width = Int32(settings.width)
        context.height = Int32(settings.height)
        context.pix_fmt = settings.format
        context.sample_aspect_ratio = settings.pixelAspect
        context.time_base = AVRational(num: 1, den: settings.framesPerSecond)
        context.framerate = AVRational(num: settings.framesPerSecond, den: 1)
        // A fixed number of threads: some encoders' output depends on it.
        context.thread_count = 1
        context.flags |= AV_CODEC_FLAG_BITEXACT
        if let scale = settings.scale {
            context.flags |= AV_CODEC_FLAG_QSCALE
            context.global_quality = scale * FF_QP2LAMBDA
        }
        context.colorspace = settings.matrix
        context.color_primaries = settings.primaries
        context.color_trc = settings.transfer
        if settings.matrix != AVCOL_SPC_UNSPECIFIED { context.color_range = AVCOL_RANGE_MPEG }
        if let interval = settings.keyInterval { context.gop_size = interval }
        if settings.hasGlobalHeader { context.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
    }

    /// Passes one picture to the encoder.
    package func send(_ frame: borrowing Frame) throws(FFmpegError) {
        try FFmpegError.check(avcodec_send_frame(context, frame.pointer), "avcodec_send_frame")
    }

    /// Signals the end of the input.
    package func finish() {
        avcodec_send_frame(context, nil)
    }

    /// Fills `packet` with the next coded bytes; `false` when there are none yet or none left.
    package func receive(into packet: borrowing Packet) throws(FFmpegError) -> Bool {
        let code = avcodec_receive_packet(context, packet.pointer)
        if code == cffmpeg_error_try_again || code == cffmpeg_error_end_of_file { return false }
        try FFmpegError.check(code, "avcodec_receive_packet")
        return true
    }

    /// A picture as a whole file, for codecs whose output for one frame is such a file.
    ///
    /// - Parameter scale: As in `Settings`.
    package static func file(
        of frame: borrowing Frame, by name: String, scale: Int32? = nil, options: [(String, String)] = []
    ) throws(FFmpegError) -> [UInt8] {
        var settings = Settings(width: frame.width, height: frame.height, format: frame.format)
        settings.scale = scale
        settings.options = options
        let encoder = try opened(name, settings)
        if let scale { frame.pointer.pointee.quality = scale * FF_QP2LAMBDA }
        try encoder.send(frame)
        encoder.finish()
        let packet = try Packet()
        guard try encoder.receive(into: packet) else {
            throw FFmpegError(call: "avcodec_receive_packet", code: cffmpeg_error_end_of_file)
        }
        return packet.bytes
    }
}
