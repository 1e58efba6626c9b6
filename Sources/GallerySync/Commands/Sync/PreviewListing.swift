import CommandLine
import Output
import Sync
import Text

/// The listing of a dry run: a line or a JSON element for each file, written as files are found.
struct PreviewListing {
    private let console: Console
    private let isJSON: Bool
    private var count = 0
    private var bytes: Int64 = 0

    /// A listing that writes nothing before the first `add`.
    init(_ console: Console, isJSON: Bool) {
        (self.console, self.isJSON) = (console, isJSON)
    }

    /// Writes `files`, which must not be empty.
    mutating func add(_ files: [PreviewedFile]) throws {
        if isJSON {
            let text = try files.map { try String(decoding: JSONDocument.line($0).dropLast(), as: UTF8.self) }
            try console.result(json: Array("\(count == 0 ? Self.head : ",")\n\(text.joined(separator: ",\n"))".utf8))
        } else {
            try console.result(prose: files.map { "\(DisplayText.safe($0.path))  \(Quantity.text(bytes: $0.size))" })
        }
        count += files.count
        bytes += files.reduce(0) { $0 + $1.size }
    }

    /// Writes what follows the last file: the sums, or the end of the document.
    ///
    /// - Parameter waiting: Files of earlier passes that still wait to be sent.
    func end(_ waiting: StoredPreview.Waiting) throws {
        guard isJSON else {
            let sum = "\(Quantity.text(count, "new or changed file")), \(Quantity.text(bytes: bytes))"
            return try console.result(prose: ["Would look at \(sum)\(waiting.clause)."])
        }
        let sums = String(decoding: try JSONDocument.line(waiting).dropLast(), as: UTF8.self)
        try console.result(json: Array("\(count == 0 ? Self.head : "")\n], \"waiting\": \(sums)}\n".utf8))
    }

    private static let head = "{\"schema\": \"gallery-sync/preview/1\", \"files\": ["
}

extension StoredPreview.Waiting {
    /// The clause that follows the sum of found files; empty if nothing waits.
    fileprivate var clause: String {
        guard files > 0 else { return "" }
        let verb = files == 1 ? "waits" : "wait"
        return "; \(Quantity.text(files, "file")), \(Quantity.text(bytes: bytes)), \(verb) already"
    }
}
