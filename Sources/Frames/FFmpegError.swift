import CFFmpeg

/// An FFmpeg call that returned a negative code.
package struct FFmpegError: Error, Hashable {
    /// The C function that failed, such as `avformat_open_input`.
    package let call: String
    /// The `AVERROR` it returned; always negative.
    package let code: Int32

    /// The error of `call`, which returned `code`.
    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// Whether memory was refused.
    package var isOutOfMemory: Bool { code == cffmpeg_error_out_of_memory }

    /// The result of a C function; a negative one is thrown.
    @discardableResult
    package static func check(_ code: Int32, _ call: String) throws(FFmpegError) -> Int32 {
        guard code >= 0 else { throw FFmpegError(call: call, code: code) }
        return code
    }

    /// What a C function made; where it made nothing, that is thrown as out of memory.
    package static func check<Value>(_ value: Value?, _ call: String) throws(FFmpegError) -> Value {
        guard let value else { throw FFmpegError(call: call, code: cffmpeg_error_out_of_memory) }
        return value
    }
}

extension FFmpegError: CustomStringConvertible {
    /// FFmpeg's sentence for the code; for the most frequent one, what it means to people.
    package var description: String {
        if code == cffmpeg_error_invalid_data { return "The file is damaged or cut short" }
        var text = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
        av_strerror(code, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension FFmpegError: CustomDebugStringConvertible {
    /// FFmpeg's sentence, and the call that failed.
    package var debugDescription: String { "\(description) (\(call), \(code))" }
}
