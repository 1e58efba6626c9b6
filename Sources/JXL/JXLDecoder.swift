import CFFmpeg
import CJXL
import Frames

/// libjxl's decoder of one picture, closed with its owner.
struct JXLDecoder: ~Copyable {
    /// libjxl's own structure, valid as long as this value.
    let handle: OpaquePointer
    /// What the picture's header states.
    let info: JxlBasicInfo
    /// The frames, which begin where the picture's header ends.
    let frames: UnsafeBufferPointer<UInt8>

    /// Reads the picture's own header.
    ///
    /// - Parameter bytes: The codestream, which must outlive this value.
    static func opened(_ bytes: UnsafeBufferPointer<UInt8>) throws(FFmpegError) -> JXLDecoder {
        let handle = try FFmpegError.check(JxlDecoderCreate(nil), "JxlDecoderCreate")
        let events = JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_COLOR_ENCODING.rawValue | JXL_DEC_FULL_IMAGE.rawValue
        JxlDecoderSubscribeEvents(handle, Int32(events))
        // We turn the picture later, as in all other formats, because libjxl would keep all of it to turn it.
        JxlDecoderSetKeepOrientation(handle, 1)
        JxlDecoderSetInput(handle, bytes.baseAddress, bytes.count)
        var info = JxlBasicInfo()
        guard JxlDecoderProcessInput(handle) == JXL_DEC_BASIC_INFO,
            JxlDecoderGetBasicInfo(handle, &info) == JXL_DEC_SUCCESS, info.xsize > 0, info.ysize > 0,
            JxlDecoderProcessInput(handle) == JXL_DEC_COLOR_ENCODING
        else {
            JxlDecoderDestroy(handle)
            throw FFmpegError(call: "JxlDecoderProcessInput", code: cffmpeg_error_invalid_data)
        }
        let frames = UnsafeBufferPointer(rebasing: bytes.suffix(JxlDecoderReleaseInput(handle)))
        return JXLDecoder(handle: handle, info: info, frames: frames)
    }

    private init(handle: OpaquePointer, info: JxlBasicInfo, frames: UnsafeBufferPointer<UInt8>) {
        (self.handle, self.info, self.frames) = (handle, info, frames)
    }

    deinit { JxlDecoderDestroy(handle) }

    /// Decodes the first frame of `bytes` onto `canvas`.
    ///
    /// - Parameter inks: Receive the channels beside the colours.
    func paint(
        _ bytes: UnsafeBufferPointer<UInt8>, on canvas: JXLCanvas, _ inks: borrowing JXLInks?
    ) throws(FFmpegError) {
        JxlDecoderSetInput(handle, bytes.baseAddress, bytes.count)
        try expect(JXL_DEC_NEED_IMAGE_OUT_BUFFER)
        // libjxl computes floats, and delivers only them at once: it keeps all other formats until the end.
        var format = JxlPixelFormat(
            num_channels: 4, data_type: JXL_TYPE_FLOAT, endianness: JXL_NATIVE_ENDIAN, align: 0)
        let opaque = Unmanaged.passUnretained(canvas).toOpaque()
        guard JxlDecoderSetImageOutCallback(handle, &format, Self.take, opaque) == JXL_DEC_SUCCESS else {
            throw FFmpegError(call: "JxlDecoderSetImageOutCallback", code: cffmpeg_error_invalid_data)
        }
        switch inks {
        case .some(let inks): try inks.receive(from: handle)
        case nil: break
        }
        try expect(JXL_DEC_FULL_IMAGE)
    }

    private static let take: JxlImageOutCallback = { opaque, x, y, count, pixels in
        guard let opaque, let pixels else { return }
        let canvas = Unmanaged<JXLCanvas>.fromOpaque(opaque).takeUnretainedValue()
        canvas.add(x: x, y: y, count: count, pixels.assumingMemoryBound(to: Float.self))
    }

    /// Continues until `event`; anything else is damage.
    private func expect(_ event: JxlDecoderStatus) throws(FFmpegError) {
        guard JxlDecoderProcessInput(handle) == event else {
            throw FFmpegError(call: "JxlDecoderProcessInput", code: cffmpeg_error_invalid_data)
        }
    }
}
