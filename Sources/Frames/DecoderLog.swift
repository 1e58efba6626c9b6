import CFFmpeg
import Synchronization

/// The last error that decoders logged about a file, because FFmpeg's error codes are vague ("Invalid data").
///
/// Each file has a log of its own, however many are read at the same time: a file is read on one thread, and decoders
/// are told to start none. Messages on any other thread are about something else, and are not kept.
package enum DecoderLog {
    /// The last line about one file.
    private final class Line: Sendable {
        let text = Mutex<String?>(nil)
    }

    @TaskLocal private static var line: Line?

    /// Runs `body`, which reads one file; messages of decoders meanwhile are kept for that file only.
    package static func ofOneFile<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
        try $line.withValue(Line(), operation: body)
    }

    /// Sends FFmpeg's log here instead of to stderr; called once per process, before anything is decoded.
    package static func capture() {
        av_log_set_callback { source, level, format, arguments in
            guard level <= AV_LOG_ERROR, let format else { return }
            var line = [CChar](repeating: 0, count: 512)
            var printsPrefix: Int32 = 0
            guard let arguments else { return }
            av_log_format_line2(source, level, format, arguments, &line, Int32(line.count), &printsPrefix)
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // EXIF is no part of the picture, and we read it ourselves, in more forms.
            if !text.lowercased().contains("exif data") { DecoderLog.keep(text) }
        }
    }

    /// Forgets the messages about the file, because another decoder is going to read it.
    package static func clear() {
        line?.text.withLock { $0 = nil }
    }

    /// The last error, one line without a full stop; `nil` outside of `ofOneFile`.
    package static var lastError: String? {
        line?.text.withLock { $0 }
    }

    /// The size in FFmpeg's last refusal, as its `av_image_check_size2` logs it.
    package static var refusedSize: (width: Int, height: Int)? {
        guard let words = lastError, words.hasPrefix("Picture size ") else { return nil }
        let sides = words.split(separator: " ")[2].split(separator: "x").compactMap { Int($0) }
        return sides.count == 2 && sides.allSatisfy { $0 > 0 } ? (sides[0], sides[1]) : nil
    }

    /// Keeps an error message of another library.
    package static func keep(_ text: String) {
        let first = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard !first.isEmpty else { return }
        line?.text.withLock { $0 = first }
    }
}
