import CJXL
import MediaModel
import Testing

@testable import Frames

/// A JPEG XL as libjxl's encoder writes it, with what FFmpeg's encoder cannot be asked for.
struct JXLFile: CustomTestStringConvertible {
    var picture: Bitmap
    /// One byte a pixel; `nil` for an opaque picture.
    var alpha: [UInt8]?
    /// What black leaves of the light, one byte a pixel; the colours are cyan, magenta and yellow then.
    var black: [UInt8]?
    var isLossless = false
    /// What is lost: 1 cannot be seen, more can.
    var distance: Float = 1
    /// Whether the colours are kept as they are, as where a JPEG is packed again, and not as XYB.
    var keepsProfile = false
    var orientation = 1
    var transfer = JXL_TRANSFER_FUNCTION_SRGB
    var primaries = JXL_PRIMARIES_SRGB
    var options: [(JxlEncoderFrameSettingId, Int64)] = []
    /// Bits of a sample; 16 needs level 10, which a box before the pixels states.
    var depth: UInt32 = 8
    var frames = 1

    /// A failed test would print every pixel.
    var testDescription: String { "\(picture.width) × \(picture.height) pixels, frames: \(frames)" }

    struct Refused: Error {
        let call: String
    }

    private static func check(_ code: JxlEncoderStatus, _ call: String) throws {
        guard code == JXL_ENC_SUCCESS else { throw Refused(call: call) }
    }

    func encoded(isContained: Bool = false) throws -> [UInt8] {
        let encoder = try #require(JxlEncoderCreate(nil))
        defer { JxlEncoderDestroy(encoder) }
        JxlEncoderUseContainer(encoder, isContained ? 1 : 0)
        if depth > 8 && alpha != nil || black != nil { JxlEncoderSetCodestreamLevel(encoder, 10) }
        var info = info
        try Self.check(JxlEncoderSetBasicInfo(encoder, &info), "JxlEncoderSetBasicInfo")
        try setColours(encoder)
        let settings = JxlEncoderFrameSettingsCreate(encoder, nil)
        if isLossless {
            JxlEncoderSetFrameLossless(settings, 1)
        } else {
            JxlEncoderSetFrameDistance(settings, distance)
        }
        for (name, value) in [(JXL_ENC_FRAME_SETTING_EFFORT, 3)] + options {
            try Self.check(JxlEncoderFrameSettingsSetOption(settings, name, value), "option \(name.rawValue)")
        }
        for index in 0..<frames { try add(index, settings) }
        JxlEncoderCloseInput(encoder)
        return try output(of: encoder)
    }

    private func setColours(_ encoder: OpaquePointer) throws {
        if black != nil {
            var channel = JxlExtraChannelInfo()
            JxlEncoderInitExtraChannelInfo(JXL_CHANNEL_BLACK, &channel)
            let profile = ProfileFile.inks
            let index = alpha == nil ? 0 : 1
            try Self.check(JxlEncoderSetExtraChannelInfo(encoder, index, &channel), "JxlEncoderSetExtraChannelInfo")
            try Self.check(JxlEncoderSetICCProfile(encoder, profile, profile.count), "JxlEncoderSetICCProfile")
            return
        }
        var colours = JxlColorEncoding()
        JxlColorEncodingSetToSRGB(&colours, 0)
        (colours.transfer_function, colours.primaries) = (transfer, primaries)
        try Self.check(JxlEncoderSetColorEncoding(encoder, &colours), "JxlEncoderSetColorEncoding")
    }

    private var info: JxlBasicInfo {
        var info = JxlBasicInfo()
        JxlEncoderInitBasicInfo(&info)
        (info.xsize, info.ysize) = (UInt32(picture.width), UInt32(picture.height))
        info.bits_per_sample = depth
        info.orientation = JxlOrientation(rawValue: UInt32(orientation))
        info.uses_original_profile = isLossless || keepsProfile ? 1 : 0
        if alpha != nil { info.alpha_bits = depth }
        info.num_extra_channels = (alpha == nil ? 0 : 1) + (black == nil ? 0 : 1)
        if frames > 1 {
            info.have_animation = 1
            (info.animation.tps_numerator, info.animation.tps_denominator) = (10, 1)
        }
        return info
    }

    /// Later frames are the negative of the first one.
    private func add(_ index: Int, _ settings: OpaquePointer?) throws {
        var format = JxlPixelFormat(
            num_channels: alpha == nil ? 3 : 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
        var samples: [UInt8] = []
        for pixel in 0..<picture.width * picture.height {
            samples += picture.rgb[pixel * 3..<pixel * 3 + 3].map { index == 0 ? $0 : 255 - $0 }
            if let alpha { samples.append(alpha[pixel]) }
        }
        if frames > 1 {
            var header = JxlFrameHeader()
            JxlEncoderInitFrameHeader(&header)
            header.duration = 1
            try Self.check(JxlEncoderSetFrameHeader(settings, &header), "JxlEncoderSetFrameHeader")
        }
        try Self.check(
            JxlEncoderAddImageFrame(settings, &format, samples, samples.count), "JxlEncoderAddImageFrame")
        guard let black else { return }
        format.num_channels = 1
        let index: UInt32 = alpha == nil ? 0 : 1
        try Self.check(
            JxlEncoderSetExtraChannelBuffer(settings, &format, black, black.count, index),
            "JxlEncoderSetExtraChannelBuffer")
    }

    private func output(of encoder: OpaquePointer) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        let left: Int? = bytes.withUnsafeMutableBufferPointer { buffer in
            var next = buffer.baseAddress
            var left = buffer.count
            return JxlEncoderProcessOutput(encoder, &next, &left) == JXL_ENC_SUCCESS ? left : nil
        }
        guard let left else { throw Refused(call: "JxlEncoderProcessOutput") }
        return Array(bytes.dropLast(left))
    }
}
