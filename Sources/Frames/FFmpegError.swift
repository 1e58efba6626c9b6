import CFFmpeg
import Glibc

/// An FFmpeg call that returned a negative code.
package struct FFmpegError: Error, Hashable {
    /// The C function that failed, such as `avformat_open_input`.
    package let call: String
    /// The `AVERROR` it returned; always negative.
    package let code: Int32
    /// Its meaning for people, if more is known than the code and the decoder's log say.
    package let words: String?

    /// The error of `call`, which returned `code`.
    package init(call: String, code: Int32, words: String? = nil) {
        self.call = call
        self.code = code
        self.words = words
    }

    /// The refusal of a picture with more than `limit` pixels.
    package static func tooLarge(_ width: Int, _ height: Int, limit: Int, _ call: String) -> FFmpegError {
        let (pixels, isMore) = width.multipliedReportingOverflow(by: height)
        let millions = isMore ? "too many" : "\((pixels + 999_999) / 1_000_000)"
        return FFmpegError(
            call: call, code: cffmpeg_error_of_errno(EFBIG),
            words: "Too large: \(millions) megapixels (\(width) × \(height)), the limit is \(limit / 1_000_000)")
    }

    /// The refusal of a file that may be sound, in a form that the decoder behind `call` does not know.
    package static func unknownForm(_ call: String) -> FFmpegError {
        FFmpegError(call: call, code: cffmpeg_error_not_implemented)
    }

    /// The error after what the decoder `said` of the file, because decoders also call damaged what they do not know.
    ///
    /// Only what was said tells these apart: FFmpeg 5.1 has a code for an unknown form, but its decoders of textures, TIFF
    /// and BMP return that of damage for both.
    package func explained(by said: String?) -> String {
        guard words == nil, let said else { return "\(self)" }
        let isOfForm = ["unsupported", "not supported"].contains { said.lowercased().contains($0) }
        let error = isOfForm && code == cffmpeg_error_invalid_data ? Self.unknownForm(call) : self
        return "\(said): \(error)"
    }

    /// Throws if a picture has no pixels or more than `limit`, before memory is allocated.
    package static func checkSize(_ width: Int, _ height: Int, limit: Int, _ call: String) throws(FFmpegError) {
        guard width > 0, height > 0 else { throw FFmpegError(call: call, code: cffmpeg_error_invalid_data) }
        guard width <= limit / height else { throw tooLarge(width, height, limit: limit, call) }
    }

    /// Whether memory was refused.
    package var isOutOfMemory: Bool { code == cffmpeg_error_out_of_memory }

    /// The result of a C function; a negative one is thrown.
    @discardableResult
    package static func check(_ code: Int32, _ call: String) throws(FFmpegError) -> Int32 {
        guard code >= 0 else { throw FFmpegError(call: call, code: code) }
        return code
    }

    /// A value that a C function made; if it made none, throws out of memory.
    package static func check<Value>(_ value: Value?, _ call: String) throws(FFmpegError) -> Value {
        guard let value else { throw FFmpegError(call: call, code: cffmpeg_error_out_of_memory) }
        return value
    }
}

extension FFmpegError: CustomStringConvertible {
    /// What decoders return for damage: some a bare -1, which reads as EPERM, or the code of zlib's or of a check of sizes.
    private static let ofDamage: Set<Int32> = [
        cffmpeg_error_invalid_data, cffmpeg_error_end_of_file, cffmpeg_error_not_permitted, cffmpeg_error_external,
        cffmpeg_error_of_errno(EINVAL),
    ]

    /// Its own words, else FFmpeg's sentence for the code or, for the most frequent codes, what it means to people.
    package var description: String {
        if let words { return words }
        if Self.ofDamage.contains(code) { return "The file is damaged or cut short" }
        if [cffmpeg_error_not_implemented, cffmpeg_error_no_decoder].contains(code) {
            return "The file is in a form that nothing here decodes"
        }
        var text = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
        av_strerror(code, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension FFmpegError: CustomDebugStringConvertible {
    /// FFmpeg's sentence, and the call that failed.
    package var debugDescription: String { "\(description) (\(call), \(code))" }
}
