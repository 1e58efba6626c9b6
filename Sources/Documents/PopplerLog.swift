import CPoppler
import Synchronization

/// What Poppler says of a document; it has no other way to tell that it left something out.
package enum PopplerLog {
    /// What was said of one document.
    private struct Heard {
        var words: String?
        var lacksFont = false
    }

    private final class Listener: Sendable {
        let heard = Mutex(Heard())
    }

    @TaskLocal private static var listener: Listener?

    private static let isListening: Void = cpoppler_listen { PopplerLog.hear($0) }

    /// Runs `body`, which reads one document on one thread; what Poppler says meanwhile is about that document.
    package static func ofOneDocument<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
        _ = isListening
        return try $listener.withValue(Listener(), operation: body)
    }

    /// Called by Poppler, on the thread that calls Poppler.
    static func hear(_ message: UnsafePointer<CChar>?) {
        guard let message else { return }
        // Such as "poppler/error (123): Couldn't find trailer dictionary".
        let line = String(cString: message)
        let words = line.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? line
        let isOfFont = ["Couldn't find a font", "Couldn't create a font", "Missing language pack"]
            .contains { words.hasPrefix($0) }
        listener?.heard.withLock {
            $0.words = words
            if isOfFont { $0.lacksFont = true }
        }
    }

    /// What was said last; `nil` outside of `ofOneDocument`.
    package static var words: String? { listener?.heard.withLock { $0.words } }

    /// Whether a font was asked for that is not in the document.
    package static var lacksFont: Bool { listener?.heard.withLock { $0.lacksFont } ?? false }
}
