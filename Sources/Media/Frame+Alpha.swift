import CFFmpeg
import MediaModel

extension Frame {
    /// Blends its transparent parts with `background`; returns whether any pixel was transparent.
    ///
    /// Done before scaling, since the colour of invisible pixels must not bleed into visible ones.
    mutating func lay(over background: RGBColour) throws(FFmpegError) -> Bool {
        guard hasAlpha else { return false }
        let target = Scaler.Target(width: width, height: height, format: AV_PIX_FMT_RGBA)
        let result = try Scaler.convert(self, to: target, flags: SWS_POINT)
        guard let data = result.pointer.pointee.data.0 else { return false }
        let under = [background.red, background.green, background.blue].map(UInt32.init)
        var isSeen = false
        for row in 0..<result.height {
            let pixels = UnsafeMutableBufferPointer(
                start: data + row * Int(result.pointer.pointee.linesize.0), count: result.width * 4)
            if Self.blend(pixels, over: under) { isSeen = true }
        }
        result.pointer.pointee.format = AV_PIX_FMT_RGB0.rawValue
        try result.copyDescription(of: self)
        self = result
        return isSeen
    }

    var hasAlpha: Bool {
        guard let description = av_pix_fmt_desc_get(format) else { return false }
        return format == AV_PIX_FMT_PAL8 || description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    }

    /// Copies the properties of `other`: profile, metadata, colour description.
    func copyDescription(of other: borrowing Frame) throws(FFmpegError) {
        try FFmpegError.check(av_frame_copy_props(pointer, other.pointer), "av_frame_copy_props")
    }

    /// Whether any pixel was not opaque.
    private static func blend(_ pixels: UnsafeMutableBufferPointer<UInt8>, over background: [UInt32]) -> Bool {
        var isSeen = false
        for pixel in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = UInt32(pixels[pixel + 3])
            guard alpha < 255 else { continue }
            isSeen = true
            for channel in 0..<3 {
                let blended = UInt32(pixels[pixel + channel]) * alpha + background[channel] * (255 - alpha)
                pixels[pixel + channel] = UInt8((blended + 127) / 255)
            }
        }
        return isSeen
    }
}
