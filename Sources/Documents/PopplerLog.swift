import CPoppler
import Synchronization

/// Poppler's messages about a document, because it has no other way to tell that it left something out.
package enum PopplerLog {
    /// What the messages about one document say.
    private struct Heard {
        var words: String?
        var lacksFont = false
    }

    private final class Listener: Sendable {
        let heard = Mutex(Heard())
    }

    @TaskLocal private static var listener: Listener?

    private static let isListening: Void = cpoppler_listen { PopplerLog.hear($0) }

    /// Runs `body`, which reads one document on one thread; messages of Poppler meanwhile are about that document.
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

    /// The last message; `nil` outside of `ofOneDocument`.
    package static var words: String? { listener?.heard.withLock { $0.words } }

    /// Whether text was left out because its font, or the table of its letters, is missing.
    package static var lacksFont: Bool { listener?.heard.withLock { $0.lacksFont } ?? false }
}
