import CFFmpeg
package import MediaModel

extension Frame {
    /// Blends its transparent parts with `background`; returns whether any pixel was transparent.
    ///
    /// Done before scaling, because the colour of invisible pixels must not bleed into visible ones.
    package mutating func lay(over background: RGBColour) throws(FFmpegError) -> Bool {
        guard hasAlpha else { return false }
        let isReversed = format == AV_PIX_FMT_BGRA
        if format == AV_PIX_FMT_RGBA || isReversed {
            guard hasTransparentPixel else {
                pointer.pointee.format = (isReversed ? AV_PIX_FMT_BGR0 : AV_PIX_FMT_RGB0).rawValue
                return false
            }
            // The decoder may still need this frame for its next one.
            try FFmpegError.check(av_frame_make_writable(pointer), "av_frame_make_writable")
        } else {
            let target = Scaler.Target(width: width, height: height, format: AV_PIX_FMT_RGBA)
            let result = try Scaler.convert(self, to: target, flags: SWS_POINT)
            try result.copyDescription(of: self)
            self = result
        }
        let under =
            isReversed ? RGBColour(red: background.blue, green: background.green, blue: background.red) : background
        var isSeen = false
        forEachRow { if Self.blend($0, over: under) { isSeen = true } }
        pointer.pointee.format = (isReversed ? AV_PIX_FMT_BGR0 : AV_PIX_FMT_RGB0).rawValue
        return isSeen
    }

    /// Whether a pixel of four bytes is not opaque.
    private var hasTransparentPixel: Bool {
        var all: UInt8 = 255
        forEachRow { row in
            for alpha in stride(from: 3, to: row.count, by: 4) { all &= row[alpha] }
        }
        return all < 255
    }

    /// Calls `body` with the bytes of each row of pixels of four bytes.
    private func forEachRow(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        guard let data = pointer.pointee.data.0 else { return }
        for row in 0..<height {
            body(
                UnsafeMutableBufferPointer(
                    start: data + row * Int(pointer.pointee.linesize.0), count: width * 4))
        }
    }

    /// Divides the colours of a BGRA frame by their alpha, with which Cairo has multiplied them.
    package func divideByAlpha() {
        guard format == AV_PIX_FMT_BGRA, let data = pointer.pointee.data.0 else { return }
        for y in 0..<height {
            let row = data + y * Int(pointer.pointee.linesize.0)
            for x in stride(from: 0, to: width * 4, by: 4) {
                let alpha = Int(row[x + 3])
                guard alpha > 0, alpha < 255 else { continue }
                for channel in 0..<3 {
                    row[x + channel] = UInt8(min(255, (Int(row[x + channel]) * 255 + alpha / 2) / alpha))
                }
            }
        }
    }

    var hasAlpha: Bool {
        guard let description = av_pix_fmt_desc_get(format) else { return false }
        return format == AV_PIX_FMT_PAL8 || description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    }

    /// Copies the properties of `other`: profile, metadata, colour description.
    func copyDescription(of other: borrowing Frame) throws(FFmpegError) {
        try FFmpegError.check(av_frame_copy_props(pointer, other.pointer), "av_frame_copy_props")
    }

    /// Puts `background` behind pixels of red, green, blue and alpha; returns whether any of them was not opaque.
    package static func blend(_ pixels: UnsafeMutableBufferPointer<UInt8>, over background: RGBColour) -> Bool {
        let under = SIMD4<UInt8>(background.red, background.green, background.blue, 0)
        let wideUnder = SIMD4<UInt16>(truncatingIfNeeded: under)
        let bytes = UnsafeMutableRawBufferPointer(pixels)
        var isSeen = false
        for at in stride(from: 0, to: bytes.count & ~3, by: 4) {
            let pixel = unsafeBitCast(bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self), to: SIMD4<UInt8>.self)
            let alpha = pixel[3]
            guard alpha < 255 else { continue }
            isSeen = true
            var blended = under
            if alpha > 0 {
                let share = SIMD4(repeating: UInt16(alpha))
                let sum = SIMD4<UInt16>(truncatingIfNeeded: pixel) &* share &+ wideUnder &* (255 &- share) &+ 128
                // The nearest to sum / 255, as all sums are below 65,536.
                blended = SIMD4(truncatingIfNeeded: (sum &+ sum &>> 8) &>> 8)
                blended[3] = alpha
            }
            bytes.storeBytes(of: unsafeBitCast(blended, to: UInt32.self), toByteOffset: at, as: UInt32.self)
        }
        return isSeen
    }
}
