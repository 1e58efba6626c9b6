import CFFmpeg
import CJXL
import Frames

/// The colours of the pixels that libjxl returns, decided once the picture's header has been read.
struct JXLColours {
    /// The curve of HDR colours, which need more than bytes; unspecified for others.
    private var transfer = AVCOL_TRC_UNSPECIFIED
    private var primaries = AVCOL_PRI_UNSPECIFIED
    /// The ICC profile; empty for sRGB and HDR.
    private var profile: [UInt8] = []

    /// Asks for sRGB if libjxl would return linear light, for which bytes are too coarse.
    init(_ decoder: borrowing JXLDecoder) {
        var own = JxlColorEncoding()
        let isStated = Self.get(decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &own)
        if decoder.info.uses_original_profile == 0,
            !isStated || own.transfer_function == JXL_TRANSFER_FUNCTION_LINEAR
        {
            var wanted = JxlColorEncoding()
            JxlColorEncodingSetToSRGB(&wanted, decoder.info.num_color_channels == 1 ? 1 : 0)
            JxlDecoderSetPreferredColorProfile(decoder.handle, &wanted)
        }
        var encoding = JxlColorEncoding()
        guard Self.get(decoder, JXL_COLOR_PROFILE_TARGET_DATA, &encoding) else {
            profile = Self.profile(decoder)
            return
        }
        switch encoding.transfer_function {
        case JXL_TRANSFER_FUNCTION_PQ: transfer = AVCOL_TRC_SMPTE2084
        case JXL_TRANSFER_FUNCTION_HLG: transfer = AVCOL_TRC_ARIB_STD_B67
        case JXL_TRANSFER_FUNCTION_SRGB
        where encoding.primaries == JXL_PRIMARIES_SRGB && encoding.white_point == JXL_WHITE_POINT_D65
            || encoding.color_space == JXL_COLOR_SPACE_GRAY:
            return
        default:
            profile = Self.profile(decoder)
            return
        }
        switch encoding.primaries {
        case JXL_PRIMARIES_SRGB: primaries = AVCOL_PRI_BT709
        case JXL_PRIMARIES_2100: primaries = AVCOL_PRI_BT2020
        case JXL_PRIMARIES_P3: primaries = AVCOL_PRI_SMPTE432
        default: break
        }
    }

    private static func get(
        _ decoder: borrowing JXLDecoder, _ target: JxlColorProfileTarget, _ encoding: inout JxlColorEncoding
    ) -> Bool {
        JxlDecoderGetColorAsEncodedProfile(decoder.handle, nil, target, &encoding) == JXL_DEC_SUCCESS
    }

    private static func profile(_ decoder: borrowing JXLDecoder) -> [UInt8] {
        var count = 0
        let target = JXL_COLOR_PROFILE_TARGET_DATA
        guard JxlDecoderGetICCProfileSize(decoder.handle, nil, target, &count) == JXL_DEC_SUCCESS else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let code = JxlDecoderGetColorAsICCProfile(decoder.handle, nil, target, &bytes, count)
        return code == JXL_DEC_SUCCESS ? bytes : []
    }

    /// Whether the colours are four inks.
    var areInks: Bool { profile.count > 20 && profile[16..<20].elementsEqual("CMYK".utf8) }

    /// The format of a frame for these colours.
    func format(isGrey: Bool) -> AVPixelFormat {
        guard transfer == AVCOL_TRC_UNSPECIFIED else { return AV_PIX_FMT_RGB48LE }
        return isGrey && !areInks ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24
    }

    /// Calls `body` with the profile.
    func withProfile<Result: ~Copyable>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        profile.span.withUnsafeBufferPointer(body)
    }

    /// Gives `frame` the description of these colours.
    func describe(_ frame: borrowing Frame) {
        frame.pointer.pointee.color_trc = transfer
        frame.pointer.pointee.color_primaries = primaries
        if !profile.isEmpty { profile.withUnsafeBufferPointer { frame.setProfile($0) } }
    }
}
