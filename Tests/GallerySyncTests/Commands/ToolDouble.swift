import Platform
import TestSupport

/// A program in `PATH` that answers as a table says, and writes down what it was asked.
struct ToolDouble {
    private let folder: FilePath

    /// Puts the programs into a folder below `home`.
    ///
    /// - Parameter answers: Patterns of the shell for what is asked, and what is said and done then; the first that fits
    ///   is taken, and where none fits, the tool says nothing and ends well.
    init(_ names: [String], in home: FilePath, _ answers: [Answer]) async throws {
        folder = home.appending("tools")
        try Directory.create(at: folder)
        let rows = answers.map { "    \($0.asked)) \($0.deed) ;;\n" }.joined()
        for name in names {
            let script = """
                #!/bin/sh
                printf '%s\\n' "\(name) $*" >> '\(folder.display)/asked'
                case "\(name) $*" in
                \(rows)
                    *) exit 0 ;;
                esac
                """
            try await Executable.write(script, at: folder.appending(FilePath(name)))
        }
    }

    /// What is said to a question.
    struct Answer: Sendable {
        fileprivate let asked: String
        fileprivate let deed: String

        /// - Parameters:
        ///   - asked: A pattern of the shell for the tool's name and its words.
        ///   - deed: Commands of the shell.
        init(_ asked: String, _ deed: String) {
            self.asked = asked.replacing(" ", with: "\\ ")
            self.deed = deed
        }
    }

    /// `PATH` for the command.
    var path: String { folder.display }

    /// What was asked, one line a question.
    var asked: [String] {
        get throws {
            let file = folder.appending("asked")
            guard try FileFacts.existing(file) != nil else { return [] }
            return String(decoding: try OpenFile(reading: file).readAll(), as: UTF8.self).split(separator: "\n")
                .map(String.init)
        }
    }
}
