import CPoppler
import Synchronization

/// What Poppler says of a document; it has no other way to tell that it left something out.
enum PopplerLog {
    private struct Heard {
        var words: String?
        var lacksFont = false
    }

    private static let heard = Mutex(Heard())

    /// Begins to listen, and forgets what was said of the last document.
    static func begin() {
        heard.withLock { $0 = Heard() }
        cpoppler_listen { PopplerLog.hear($0) }
    }

    /// Called by Poppler, on the thread that calls Poppler.
    static func hear(_ message: UnsafePointer<CChar>?) {
        guard let message else { return }
        // Such as "poppler/error (123): Couldn't find trailer dictionary".
        let line = String(cString: message)
        let words = line.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? line
        let isOfFont = ["Couldn't find a font", "Couldn't create a font", "Missing language pack"]
            .contains { words.hasPrefix($0) }
        heard.withLock {
            $0.words = words
            if isOfFont { $0.lacksFont = true }
        }
    }

    /// What was said last.
    static var words: String? { heard.withLock { $0.words } }

    /// Whether a font was asked for that is not in the document.
    static var lacksFont: Bool { heard.withLock { $0.lacksFont } }
}
