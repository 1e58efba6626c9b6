import CFFmpeg
import CJXL
import Frames

/// The black and the alpha of a picture in four inks, which libjxl returns beside the other three (ISO/IEC 18181-1).
///
/// A sample is the light that an ink leaves: the largest value means no ink.
struct JXLInks: ~Copyable {
    /// A whole channel as bytes, because libjxl does not return these channels in parts.
    private struct Plane {
        let channel: UInt32
        let bytes: UnsafeMutableBufferPointer<UInt8>
    }

    private let black: Plane
    private let alpha: Plane?

    /// `nil` if there is no black.
    init?(_ decoder: borrowing JXLDecoder) {
        let count = Int(decoder.info.xsize) * Int(decoder.info.ysize)
        let kinds = (0..<decoder.info.num_extra_channels).map { index in
            var info = JxlExtraChannelInfo()
            let isKnown = JxlDecoderGetExtraChannelInfo(decoder.handle, Int(index), &info) == JXL_DEC_SUCCESS
            return isKnown ? info.type : JXL_CHANNEL_UNKNOWN
        }
        func plane(_ kind: JxlExtraChannelType) -> Plane? {
            guard let channel = kinds.firstIndex(of: kind) else { return nil }
            let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
            bytes.initialize(repeating: 255)
            return Plane(channel: UInt32(channel), bytes: bytes)
        }
        guard let black = plane(JXL_CHANNEL_BLACK) else { return nil }
        (self.black, alpha) = (black, plane(JXL_CHANNEL_ALPHA))
    }

    deinit {
        black.bytes.deallocate()
        alpha?.bytes.deallocate()
    }

    /// Tells libjxl where to write these channels; to be called when it asks where to write the picture.
    func receive(from handle: OpaquePointer) throws(FFmpegError) {
        for plane in [black, alpha].compactMap(\.self) {
            var format = JxlPixelFormat(
                num_channels: 1, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
            guard
                JxlDecoderSetExtraChannelBuffer(
                    handle, &format, plane.bytes.baseAddress, plane.bytes.count, plane.channel) == JXL_DEC_SUCCESS
            else { throw FFmpegError(call: "JxlDecoderSetExtraChannelBuffer", code: cffmpeg_error_invalid_data) }
        }
    }

    /// The light that these inks and those of `canvas` leave together; transparent parts are paper.
    func frame(_ canvas: JXLCanvas, by colours: JXLColours) throws(FFmpegError) -> Frame {
        let frame = try canvas.taken()
        guard let data = frame.pointer.pointee.data.0 else { return frame }
        let transform = colours.withProfile { ColourTransform(inks: $0) }
        var inks = [UInt8](repeating: 0, count: frame.width * 4)
        for y in 0..<frame.height {
            let row = data + y * Int(frame.pointer.pointee.linesize.0)
            for x in 0..<frame.width {
                for channel in 0..<3 { inks[x * 4 + channel] = 255 - row[x * 3 + channel] }
                inks[x * 4 + 3] = 255 - mean(canvas.columns(x), canvas.rows(y), canvas.width)
            }
            inks.withUnsafeMutableBufferPointer {
                $0.baseAddress?.paintInks(frame.width, by: transform, into: row)
            }
        }
        return frame
    }

    /// What black leaves of the light in a square, as a byte.
    private func mean(_ columns: Range<Int>, _ rows: Range<Int>, _ width: Int) -> UInt8 {
        var sum = 0
        for y in rows {
            for place in y * width + columns.lowerBound..<y * width + columns.upperBound {
                let cover = Int(alpha?.bytes[place] ?? 255)
                sum += Int(black.bytes[place]) * cover + 255 * (255 - cover)
            }
        }
        let most = columns.count * rows.count * 255
        return UInt8((sum + most / 2) / most)
    }
}
