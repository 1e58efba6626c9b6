import CFFmpeg
import CWebP
import Frames
import MediaModel

/// An open WebP animation, closed with its owner; FFmpeg decodes only the still kind.
struct AnimatedWebP: ~Copyable {
    private let decoder: OpaquePointer
    private let width: Int
    private let height: Int

    /// The most frames that are examined before the first one is used.
    private static let frameLimit = 64

    /// `nil` when the file is a still picture.
    ///
    /// - Parameter bytes: The file, which must outlive this value.
    static func opened(
        _ bytes: UnsafeBufferPointer<UInt8>, limits: MediaLimits
    ) throws(FFmpegError) -> AnimatedWebP? {
        guard let canvas = AnimatedWebPCanvas(bytes) else { return nil }
        // The decoder keeps two canvases of four bytes a pixel.
        try FFmpegError.checkSize(canvas.width, canvas.height, limit: limits.maxPixels / 8, "WebPAnimDecoderNew")
        guard let decoder = cwebp_open(bytes.baseAddress, bytes.count) else {
            throw FFmpegError(call: "WebPAnimDecoderNew", code: cffmpeg_error_invalid_data)
        }
        return AnimatedWebP(decoder: decoder, width: canvas.width, height: canvas.height)
    }

    private init(decoder: OpaquePointer, width: Int, height: Int) {
        (self.decoder, self.width, self.height) = (decoder, width, height)
    }

    deinit { WebPAnimDecoderDelete(decoder) }

    /// The first frame that shows something, else the first of all.
    func meaningfulFrame() throws(FFmpegError) -> Frame {
        var first: Frame?
        for _ in 0..<Self.frameLimit where WebPAnimDecoderHasMoreFrames(decoder) != 0 {
            guard let frame = try next() else { break }
            if try frame.isMeaningful() { return frame }
            if first == nil { first = consume frame }
        }
        guard let first = first.take() else {
            throw FFmpegError(call: "WebPAnimDecoderGetNext", code: cffmpeg_error_invalid_data)
        }
        return first
    }

    private func next() throws(FFmpegError) -> Frame? {
        var pixels: UnsafeMutablePointer<UInt8>?
        var time: Int32 = 0
        guard WebPAnimDecoderGetNext(decoder, &pixels, &time) != 0, let pixels else { return nil }
        let frame = try Frame.blank(width: width, height: height, format: AV_PIX_FMT_RGBA)
        guard let target = frame.pointer.pointee.data.0 else { return nil }
        for y in 0..<height {
            (target + y * Int(frame.pointer.pointee.linesize.0)).update(from: pixels + y * width * 4, count: width * 4)
        }
        return frame
    }
}

extension Frame {
    /// Whether the frame shows something: laid over white, it is neither empty nor of one flat colour.
    fileprivate func isMeaningful() throws(FFmpegError) -> Bool {
        let size = Shape(width: width, height: height, pixelAspect: 1, orientation: .upright).fitted(into: 160).stored
        var copy = try Frame()
        try FFmpegError.check(av_frame_ref(copy.pointer, pointer), "av_frame_ref")
        _ = try copy.lay(over: .white)
        return FrameScore(
            try Scaler.bitmap(from: copy, width: size.width, height: size.height, quality: .quick)
        ).isMeaningful
    }
}

/// An animated WebP's canvas, as its extended header gives it (RFC 9649, 2.7).
struct AnimatedWebPCanvas: Hashable {
    let width: Int
    let height: Int

    /// `nil` when the file is not an animation.
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
