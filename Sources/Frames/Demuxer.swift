package import CFFmpeg
package import MediaModel

/// An open container with exactly one owner, closed when that owner goes away.
///
/// It reads the given file and nothing else: only the demuxer that the caller names, no protocols, and no other
/// files that the container refers to.
package struct Demuxer: ~Copyable {
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// Must live as long as `context`, which reads through it.
    private let input: DescriptorInput

    private init(_ context: UnsafeMutablePointer<AVFormatContext>, _ input: consuming DescriptorInput) {
        self.context = context
        self.input = input
    }

    /// The container in `descriptor`, read by the first of `names` that accepts it.
    package static func opened(
        _ descriptor: Int32, as names: [String], limits: MediaLimits
    ) throws(FFmpegError) -> Demuxer {
        var failure = FFmpegError(call: "av_find_input_format", code: cffmpeg_error_invalid_data)
        for name in names {
            do throws(FFmpegError) {
                return try opened(descriptor, as: name, limits: limits)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private static func opened(
        _ descriptor: Int32, as name: String, limits: MediaLimits
    ) throws(FFmpegError) -> Demuxer {
        let input = try DescriptorInput(descriptor: descriptor)
        var context: UnsafeMutablePointer<AVFormatContext>? = try FFmpegError.check(
            avformat_alloc_context(), "avformat_alloc_context")
        context?.pointee.pb = input.context
        context?.pointee.io_open = { _, _, _, _, _ in cffmpeg_error_not_permitted }
        context?.pointee.probesize = Int64(limits.probeBytes)
        av_opt_set(context, "format_whitelist", name, 0)
        av_opt_set(context, "codec_whitelist", DecoderRoute.pictureDecoders.sorted().joined(separator: ","), 0)
        // On failure FFmpeg frees the context, but never the input.
        try FFmpegError.check(
            avformat_open_input(&context, nil, av_find_input_format(name), nil), "avformat_open_input")
        let demuxer = Demuxer(try FFmpegError.check(context, "avformat_open_input"), input)
        if demuxer.needsAnalysis {
            try FFmpegError.check(
                avformat_find_stream_info(demuxer.context, nil), "avformat_find_stream_info")
        }
        return demuxer
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    /// Whether the headers lack facts that can only be found by decoding a few frames.
    private var needsAnalysis: Bool {
        let hasOpenHeader = context.pointee.ctx_flags & AVFMTCTX_NOHEADER != 0
        return hasOpenHeader || streams.isEmpty
            || streams.contains { stream in
                guard stream.kind == AVMEDIA_TYPE_VIDEO, !stream.isAttachedPicture else { return false }
                return stream.codec == AV_CODEC_ID_NONE || stream.width == 0 || stream.framesPerSecond == nil
            }
    }
}

extension Demuxer {
    /// The streams of the container, in its order.
    package var streams: [Stream] {
        (0..<Int(context.pointee.nb_streams)).compactMap { index in
            context.pointee.streams[index].map { Stream(pointer: $0, index: index) }
        }
    }

    /// The video stream with the most pixels; the first of equals.
    package var movie: Stream? {
        streams.filter { $0.kind == AVMEDIA_TYPE_VIDEO && !$0.isAttachedPicture }
            .reduce(nil) { best, stream in
                guard let best, best.width * best.height >= stream.width * stream.height else { return stream }
                return best
            }
    }

    /// Whether one of the streams is sound.
    package var hasAudio: Bool { streams.contains { $0.kind == AVMEDIA_TYPE_AUDIO } }

    /// Seconds; `nil` when the container does not say.
    package var duration: Double? {
        let ticks = context.pointee.duration
        if ticks != cffmpeg_no_time, ticks > 0, !streams.contains(where: \.claimsUnknownDuration) {
            return Double(ticks) / Double(AV_TIME_BASE)
        }
        return streams.compactMap(\.duration).max()
    }

    /// The first timestamp in seconds; `nil` if only reading further would show it.
    package var start: Double? {
        let ticks = context.pointee.start_time
        if ticks != cffmpeg_no_time { return Double(ticks) / Double(AV_TIME_BASE) }
        return streams.compactMap(\.start).min()
    }

    /// The chapters in the order of their starts.
    package var chapters: [Chapter] {
        (0..<Int(context.pointee.nb_chapters)).compactMap { index in
            guard let chapter = context.pointee.chapters[index], chapter.pointee.start != cffmpeg_no_time else {
                return nil
            }
            let start = Double(chapter.pointee.start) * chapter.pointee.time_base.value
            guard start.isFinite else { return nil }
            return Chapter(start: start, title: Metadata.text("title", in: chapter.pointee.metadata))
        }
        .sorted { $0.start < $1.start }
    }

    /// A metadata value of the whole file, such as `creation_time`.
    package func metadata(_ key: String) -> String? { Metadata.text(key, in: context.pointee.metadata) }

    /// The value of the first of these keys that the whole file has.
    package func first(of keys: [String]) -> String? {
        for key in keys {
            if let value = metadata(key) { return value }
        }
        return nil
    }

    /// Makes the demuxer skip all other streams from here on.
    package func keepOnly(_ stream: Stream) {
        for other in streams where other.index != stream.index {
            other.pointer.pointee.discard = AVDISCARD_ALL
        }
        stream.pointer.pointee.discard = AVDISCARD_DEFAULT
    }

    /// Fills `packet` with the next coded bytes of `stream`; `false` at the end of the file.
    package func read(_ stream: Stream, into packet: borrowing Packet) throws(FFmpegError) -> Bool {
        while true {
            packet.clear()
            let code = av_read_frame(context, packet.pointer)
            if code == cffmpeg_error_end_of_file { return false }
            try FFmpegError.check(code, "av_read_frame")
            if Int(packet.pointer.pointee.stream_index) == stream.index { return true }
        }
    }

    /// Whether it can seek back: FFmpeg's demuxer for animated PNG counts its frames, and ends after the last.
    package var canSeek: Bool { context.pointee.iformat.map { String(cString: $0.pointee.name) } != "apng" }

    /// Seeks to the last key frame at or before this time in seconds; `false` where that is impossible.
    ///
    /// Also `false` for a time that the clock of the stream cannot express, as a file may claim any length.
    package func seek(_ stream: Stream, to seconds: Double) -> Bool {
        let base = stream.pointer.pointee.time_base.value
        guard canSeek, base > 0, let time = Int64(exactly: (seconds / base).rounded()) else { return false }
        return av_seek_frame(context, Int32(stream.index), time, AVSEEK_FLAG_BACKWARD) >= 0
    }

    /// Goes back to the first coded bytes; `false` where that is impossible.
    ///
    /// Seeking by time may end behind the first key frame in a stream without an index.
    package func rewind(_ stream: Stream) -> Bool {
        let isStream = context.pointee.iformat.map { $0.pointee.flags & AVFMT_TS_DISCONT != 0 } ?? false
        if isStream, av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE) >= 0 { return true }
        return seek(stream, to: start ?? 0)
    }

    /// Width of a pixel over its height, from the frame, else from the container.
    package func pixelAspect(of frame: borrowing Frame, in stream: Stream) -> Double {
        av_guess_sample_aspect_ratio(context, stream.pointer, frame.pointer).aspect
    }
}

/// One stream of a demuxer, valid as long as the demuxer.
package struct Stream {
    /// FFmpeg's own structure, valid as long as the demuxer.
    package let pointer: UnsafeMutablePointer<AVStream>
    let index: Int

    /// What a decoder must know about it.
    package var parameters: UnsafeMutablePointer<AVCodecParameters> { pointer.pointee.codecpar }
    var kind: AVMediaType { parameters.pointee.codec_type }
    var codec: AVCodecID { parameters.pointee.codec_id }
    /// FFmpeg's name of its codec.
    package var codecName: String { String(cString: avcodec_get_name(codec)) }
    /// The four characters by which the container names its coding.
    package var tag: String {
        String(
            decoding: (0..<4).map { UInt8(truncatingIfNeeded: parameters.pointee.codec_tag >> (8 * $0)) }, as: UTF8.self
        )
    }
    /// Pixels.
    package var width: Int { Int(parameters.pointee.width) }
    /// Pixels.
    package var height: Int { Int(parameters.pointee.height) }
    /// Width of a pixel over its height; 1 where the container states none.
    package var pixelAspect: Double { pointer.pointee.sample_aspect_ratio.aspect }

    /// A cover or preview that the container holds as if it were a stream.
    package var isAttachedPicture: Bool { pointer.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }

    /// Seconds.
    var duration: Double? {
        claimsUnknownDuration ? nil : seconds(pointer.pointee.duration).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Whether its duration is all ones: that means "unknown", but FFmpeg reads a number (ISO/IEC 14496-12, 8.4.2.3).
    var claimsUnknownDuration: Bool { pointer.pointee.duration == Int64(UInt32.max) }

    /// The first timestamp in seconds.
    var start: Double? { seconds(pointer.pointee.start_time) }

    /// This many ticks of the stream's clock in seconds.
    package func seconds(_ ticks: Int64) -> Double? {
        ticks == cffmpeg_no_time ? nil : Double(ticks) * pointer.pointee.time_base.value
    }

    /// The average if the container gives one or counts its frames, else the rate of its clock.
    package var framesPerSecond: Double? {
        let counted = duration.map { Double(pointer.pointee.nb_frames) / $0 } ?? 0
        let rates = [pointer.pointee.avg_frame_rate.value, counted, pointer.pointee.r_frame_rate.value]
        return rates.first { $0 > 0 && $0 < 10_000 }
    }

    /// The orientation by the track's display matrix.
    package var orientation: Orientation {
        var size = 0
        guard let bytes = av_stream_get_side_data(pointer, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 36 else {
            return .upright
        }
        let matrix = UnsafeRawPointer(bytes).assumingMemoryBound(to: Int32.self)
        return Orientation(displayMatrix: Array(UnsafeBufferPointer(start: matrix, count: 9)))
    }

    /// The name of the decoder FFmpeg would choose; `nil` if it is not allowed here.
    package var decoder: String? {
        guard let found = avcodec_find_decoder(codec) else { return nil }
        let name = transparentDecoder ?? String(cString: found.pointee.name)
        return DecoderRoute.pictureDecoders.contains(name) ? name : nil
    }

    /// The decoder for transparent WebM, whose frames have a second picture that says how opaque the first is.
    private var transparentDecoder: String? {
        guard metadata("alpha_mode") == "1" else { return nil }
        return [AV_CODEC_ID_VP8.rawValue: "libvpx", AV_CODEC_ID_VP9.rawValue: "libvpx-vp9"][codec.rawValue]
    }

    /// A metadata value of this stream.
    package func metadata(_ key: String) -> String? { Metadata.text(key, in: pointer.pointee.metadata) }
}
