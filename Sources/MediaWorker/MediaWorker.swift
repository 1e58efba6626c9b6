import Glibc
import Platform

/// `gallery-sync-media`: decodes media in a process of its own, and generates media files.
@main enum MediaWorker {
    private static let usage = """
        gallery-sync-media decodes media for gallery-sync, which starts it; there is nothing to type.

        Besides: gallery-sync-media make DIR    makes media to try things on (make --help)
        """

    static func main() {
        exit(run(Arguments.all.map { String(decoding: $0, as: UTF8.self) }))
    }

    private static func run(_ words: [String]) -> Int32 {
        switch words.first {
        case "serve": return ServeLoop.run(Array(words.dropFirst()))
        case "walls": return WallsCommand.run()
        case "make": return MakeCommand.run(Array(words.dropFirst()))
        default:
            note(usage)
            return 2
        }
    }

    /// Standard error, open as long as the process runs.
    private static let notes = OpenFile(descriptor: STDERR_FILENO)

    /// Writes a line to standard error.
    static func note(_ line: String) {
        // A failure is ignored, because there is no other place to report it.
        try? notes.append(Array((line + "\n").utf8))
    }
}
