import CFFmpeg
import MediaModel

/// Reads a file that is one coded picture.
enum PhotoReader {
    /// Bytes of a file that is decoded at once; the largest camera originals have a quarter of it.
    private static let fileLimit: Int64 = 256 << 20

    /// A picture that was halved while decoding must still be this many times larger than the largest thumbnail.
    ///
    /// Below it thumbnails lose detail against one made from the full size.
    private static let halvingMargin = 1.4

    static func examine(
        _ descriptor: Int32, _ job: MediaJob, decoder name: String, codec: String
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        var facts = MediaFacts(kind: .photo, type: job.type)
        facts.codec = codec
        let packet = try Packet.contents(of: descriptor, limit: fileLimit)
        if job.type == .webp, let canvas = AnimatedWebP(packet.buffer) {
            facts.width = canvas.width
            facts.height = canvas.height
            facts.notes.append("Animated WebP is not decoded yet")
            return (facts, [])
        }
        let header = job.type == .jpeg ? JPEGHeader(packet.buffer) : nil
        let halvings = header?.halvings(for: job.specs.map(\.longSide).max() ?? 1, margin: halvingMargin) ?? 0
        let options = Decoder.Options(maxPixels: job.limits.maxPixels, halvings: halvings)
        let frame = try decoded(packet, by: name, options: options)
        return try describe(frame, fullSize: header, facts: facts, specs: job.specs)
    }

    private static func decoded(
        _ packet: borrowing Packet, by name: String, options: Decoder.Options
    ) throws(FFmpegError) -> Frame {
        let decoder = try Decoder.opened(name, options: options)
        try decoder.send(packet)
        decoder.finish()
        guard let frame = try decoder.receive() else {
            throw FFmpegError(call: "avcodec_receive_frame", code: cffmpeg_error_invalid_data)
        }
        return frame
    }

    /// The facts the frame carries, and the thumbnails made of it.
    ///
    /// - Parameter fullSize: Of a JPEG, whose frame may be smaller than the picture.
    private static func describe(
        _ frame: borrowing Frame, fullSize: JPEGHeader?, facts: MediaFacts, specs: [ThumbnailSpec]
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        var facts = facts
        if let words = DecoderLog.lastError { facts.notes.append("Damaged: \(words)") }
        let orientation =
            frame.displayMatrix ?? frame.metadata("Orientation").flatMap(Int.init).flatMap(Orientation.init(exif:))
            ?? .upright
        // EXIF pictures are shown with square pixels whatever their density says.
        let shape = Shape(
            width: fullSize?.width ?? frame.width, height: fullSize?.height ?? frame.height, pixelAspect: 1,
            orientation: orientation)
        facts.show(shape)
        facts.camera = MediaFacts.camera(maker: frame.metadata("Make"), model: frame.metadata("Model"))
        if let taken = CaptureDate(exifOf: frame) {
            facts.takenAt = taken.date
            facts.takenAtSource = taken.source
        }
        return (facts, try ThumbnailRenderer.thumbnails(of: frame, shownAs: shape, specs: specs))
    }

    /// A picture that a container carries, such as the cover of an audio file.
    static func thumbnails(
        ofAttachedPictureIn stream: Stream, _ job: MediaJob
    ) throws(FFmpegError) -> [Thumbnail] {
        guard let name = stream.decoder else {
            throw FFmpegError(call: stream.codecName, code: cffmpeg_error_no_decoder)
        }
        let packet = try Packet()
        try FFmpegError.check(av_packet_ref(packet.pointer, &stream.pointer.pointee.attached_pic), "av_packet_ref")
        let frame = try decoded(packet, by: name, options: Decoder.Options(maxPixels: job.limits.maxPixels))
        let shape = Shape(width: frame.width, height: frame.height, pixelAspect: 1, orientation: .upright)
        return try ThumbnailRenderer.thumbnails(of: frame, shownAs: shape, specs: job.specs)
    }
}

/// An animated WebP's canvas, as its extended header gives it (RFC 9649, 2.7).
struct AnimatedWebP: Hashable {
    let width: Int
    let height: Int

    /// `nil` when the file is no animation.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        let animation: UInt8 = 0x02
        guard bytes.count >= 30, bytes[12..<16].elementsEqual("VP8X".utf8), bytes[20] & animation != 0 else {
            return nil
        }
        func side(at offset: Int) -> Int {
            1 + Int(bytes[offset]) + Int(bytes[offset + 1]) << 8 + Int(bytes[offset + 2]) << 16
        }
        width = side(at: 24)
        height = side(at: 27)
    }
}
