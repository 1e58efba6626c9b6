import CFFmpeg
import Frames

/// A container that is written in memory, with exactly one owner.
struct Muxer: ~Copyable {
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// Lives as long as `context`, which writes through it.
    private let output: MemoryOutput

    private init(_ context: UnsafeMutablePointer<AVFormatContext>, _ output: consuming MemoryOutput) {
        self.context = context
        self.output = output
    }

    /// A new container of the format FFmpeg calls `name`.
    static func opened(_ name: String, metadata: [(String, String)]) throws(FFmpegError) -> Muxer {
        let output = try MemoryOutput()
        var context: UnsafeMutablePointer<AVFormatContext>?
        try FFmpegError.check(
            avformat_alloc_output_context2(&context, nil, name, nil), "avformat_alloc_output_context2")
        let muxer = Muxer(try FFmpegError.check(context, "avformat_alloc_output_context2"), output)
        muxer.context.pointee.pb = muxer.output.context
        // Keeps the library's version and random numbers out of the file.
        muxer.context.pointee.flags |= AVFMT_FLAG_BITEXACT
        for (key, value) in metadata { av_dict_set(&muxer.context.pointee.metadata, key, value, 0) }
        return muxer
    }

    deinit {
        avformat_free_context(context)
    }

    /// Whether codec headers go into the container's header instead of before each key frame.
    var wantsGlobalHeader: Bool { context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 }

    /// Adds a stream for the output of `encoder`; returns its number.
    ///
    /// - Parameter tag: Four characters that name the codec, if the container's usual ones do not fit.
    /// - Parameter rotation: Degrees clockwise by which a player must turn the pictures.
    func add(_ encoder: borrowing Encoder, tag: String? = nil, rotation: Int = 0) throws(FFmpegError) -> Int32 {
        let stream = try FFmpegError.check(avformat_new_stream(context, nil), "avformat_new_stream")
        try FFmpegError.check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context), "avcodec_parameters_from_context"
        )
        stream.pointee.time_base = encoder.context.pointee.time_base
        stream.pointee.sample_aspect_ratio = encoder.context.pointee.sample_aspect_ratio
        stream.pointee.avg_frame_rate = encoder.context.pointee.framerate
        if let tag {
            stream.pointee.codecpar.pointee.codec_tag = tag.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        if rotation != 0 {
            let matrix = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 36)
            matrix?.withMemoryRebound(to: Int32.self, capacity: 9) { av_display_rotation_set($0, Double(rotation)) }
        }
        return stream.pointee.index
    }

    /// Adds a stream for the film's cover, if it has one; its packet must be written first.
    func addCover(_ film: MovieWriter.Film) throws(FFmpegError) -> Packet? {
        guard let jpeg = film.cover else { return nil }
        let stream = try FFmpegError.check(avformat_new_stream(context, nil), "avformat_new_stream")
        stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_MJPEG
        stream.pointee.codecpar.pointee.width = Int32(film.width)
        stream.pointee.codecpar.pointee.height = Int32(film.height)
        stream.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
        let packet = try Packet.copy(of: jpeg)
        packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
        packet.pointer.pointee.stream_index = stream.pointee.index
        (packet.pointer.pointee.pts, packet.pointer.pointee.dts) = (0, 0)
        return packet
    }

    /// Writes a packet as it is.
    func write(_ packet: borrowing Packet) throws(FFmpegError) {
        try FFmpegError.check(av_write_frame(context, packet.pointer), "av_write_frame")
    }

    /// Writes the header; all streams must have been added.
    func start(options: [(String, String)] = []) throws(FFmpegError) {
        var dictionary: OpaquePointer?
        for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
        defer { av_dict_free(&dictionary) }
        try FFmpegError.check(avformat_write_header(context, &dictionary), "avformat_write_header")
    }

    /// Writes all frames that `encoder` has ready to stream `index`.
    func drain(_ encoder: borrowing Encoder, into index: Int32) throws(FFmpegError) {
        guard let stream = context.pointee.streams[Int(index)] else { return }
        let packet = try Packet()
        while try encoder.receive(into: packet) {
            av_packet_rescale_ts(packet.pointer, encoder.context.pointee.time_base, stream.pointee.time_base)
            packet.pointer.pointee.stream_index = index
            try FFmpegError.check(av_interleaved_write_frame(context, packet.pointer), "av_interleaved_write_frame")
        }
    }

    /// Completes the container and returns its bytes.
    consuming func finished() throws(FFmpegError) -> [UInt8] {
        try FFmpegError.check(av_write_trailer(context), "av_write_trailer")
        return output.bytes
    }
}
