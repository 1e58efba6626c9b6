import CFFmpeg
import COpenJPEG
import Frames

/// A JPEG 2000 as OpenJPEG decodes it: components of any number, depth and size; freed with its owner.
struct JPEG2000Decoder: ~Copyable {
    private let image: UnsafeMutablePointer<opj_image_t>

    private init(image: UnsafeMutablePointer<opj_image_t>) { self.image = image }

    deinit { opj_image_destroy(image) }

    /// Pixels of the widest component, after halving.
    var width: Int { (0..<Int(image.pointee.numcomps)).map { Int(image.pointee.comps[$0].w) }.max() ?? 0 }

    /// The pixels in bytes; `nil` if a component was not decoded.
    func frame() throws(FFmpegError) -> Frame? { try JPEG2000Picture(image.pointee)?.frame() }

    /// The picture in `bytes`, its size halved `halvings` times.
    ///
    /// - Parameter maxPixels: The most pixels of the whole picture; more are refused before memory is asked for.
    static func decoded(
        _ bytes: UnsafeBufferPointer<UInt8>, halvings: Int, maxPixels: Int
    ) throws(FFmpegError) -> JPEG2000Decoder {
        let source = try JPEG2000Source(bytes)
        let isPlain = bytes.starts(with: [0xFF, 0x4F, 0xFF, 0x51])
        let codec = try FFmpegError.check(
            opj_create_decompress(isPlain ? OPJ_CODEC_J2K : OPJ_CODEC_JP2), "opj_create_decompress")
        defer { opj_destroy_codec(codec) }
        opj_set_error_handler(codec, { words, _ in words.map { DecoderLog.keep(String(cString: $0)) } }, nil)
        var parameters = opj_dparameters_t()
        opj_set_default_decoder_parameters(&parameters)
        parameters.cp_reduce = UInt32(halvings)
        guard opj_setup_decoder(codec, &parameters) != 0 else { throw damage("opj_setup_decoder") }
        // Strict mode stays on, because OpenJPEG 2.5.0 reads beyond the bytes if it is to show parts of a damaged file.
        var header: UnsafeMutablePointer<opj_image_t>?
        let isRead = opj_read_header(source.stream, codec, &header) != 0
        guard let header else { throw damage("opj_read_header") }
        let decoder = JPEG2000Decoder(image: header)
        guard isRead, header.pointee.numcomps > 0 else { throw damage("opj_read_header") }
        let (width, height) = (
            Int(header.pointee.x1) - Int(header.pointee.x0), Int(header.pointee.y1) - Int(header.pointee.y0)
        )
        // OpenJPEG decodes all components, also those that are not shown.
        let limit = maxPixels * 4 / max(4, Int(header.pointee.numcomps))
        try FFmpegError.checkSize(width, height, limit: limit, "opj_read_header")
        guard opj_decode(codec, source.stream, header) != 0 else { throw damage("opj_decode") }
        return decoder
    }

    private static func damage(_ call: String) -> FFmpegError {
        FFmpegError(call: call, code: cffmpeg_error_invalid_data)
    }
}
