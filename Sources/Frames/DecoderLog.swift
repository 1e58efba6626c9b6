import CFFmpeg
import Synchronization

/// FFmpeg's last log line: its error codes are vague ("Invalid data"), its log lines say why.
package enum DecoderLog {
    private static let last = Mutex<String?>(nil)

    /// Sends FFmpeg's log here instead of to stderr; called once per process, before anything is decoded.
    package static func capture() {
        av_log_set_callback { source, level, format, arguments in
            guard level <= AV_LOG_ERROR, let format else { return }
            var line = [CChar](repeating: 0, count: 512)
            var printsPrefix: Int32 = 0
            guard let arguments else { return }
            av_log_format_line2(source, level, format, arguments, &line, Int32(line.count), &printsPrefix)
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // We read EXIF ourselves, and in more forms; it is no part of the picture.
            if !text.lowercased().contains("exif data") { DecoderLog.keep(text) }
        }
    }

    /// Forgets the messages about the previous file.
    package static func clear() {
        last.withLock { $0 = nil }
    }

    /// The last error, one line without a full stop.
    package static var lastError: String? {
        last.withLock { $0 }
    }

    /// Keeps an error message of another library.
    package static func keep(_ text: String) {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard !line.isEmpty else { return }
        last.withLock { $0 = line }
    }
}
