import Glibc
import Platform

/// Standard output for results, standard error for everything else.
enum Output {
    private static let results = OpenFile(descriptor: STDOUT_FILENO)
    private static let notes = OpenFile(descriptor: STDERR_FILENO)

    static func result(_ text: String) { write(text, to: results) }

    static func note(_ text: String) { write(text, to: notes) }

    /// Ignores a failure, because there is no other place to report it.
    private static func write(_ text: String, to file: OpenFile) {
        let line = text.hasSuffix("\n") ? text : text + "\n"
        try? file.append(Array(line.utf8))
    }
}
