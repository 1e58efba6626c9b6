import CommandLine
import Output
import Sync
import Text

/// The listing of a dry run: a line or a JSON element for each file, written as they are found.
struct PreviewListing {
    private let console: Console
    private let isJSON: Bool
    private var count = 0
    private var bytes: Int64 = 0

    /// A listing that has begun once it is told of the first files.
    init(_ console: Console, isJSON: Bool) {
        (self.console, self.isJSON) = (console, isJSON)
    }

    /// Writes `files`, which are more than none.
    mutating func add(_ files: [PreviewedFile]) throws {
        if isJSON {
            let text = try files.map { try String(decoding: JSONDocument.line($0).dropLast(), as: UTF8.self) }
            try console.result(json: Array("\(count == 0 ? Self.head : ",")\n\(text.joined(separator: ",\n"))".utf8))
        } else {
            try console.result(files.map { "\(DisplayText.safe($0.path))  \(Quantity.text(bytes: $0.size))" })
        }
        count += files.count
        bytes += files.reduce(0) { $0 + $1.size }
    }

    /// Writes what follows the last file: the sums, or the end of the document.
    ///
    /// - Parameter waiting: What was found before, and is to be sent, too.
    func end(_ waiting: StoredPreview.Waiting) throws {
        guard isJSON else {
            let sum = "\(Quantity.text(count, "new or changed file")), \(Quantity.text(bytes: bytes))"
            return try console.result(["Would look at \(sum)\(waiting.clause)."])
        }
        let sums = String(decoding: try JSONDocument.line(waiting).dropLast(), as: UTF8.self)
        try console.result(json: Array("\(count == 0 ? Self.head : "")\n], \"waiting\": \(sums)}\n".utf8))
    }

    private static let head = "{\"schema\": \"gallery-sync/preview/1\", \"files\": ["
}

extension StoredPreview.Waiting {
    /// To follow what was found; empty where nothing waits.
    fileprivate var clause: String {
        guard files > 0 else { return "" }
        let verb = files == 1 ? "waits" : "wait"
        return "; \(Quantity.text(files, "file")), \(Quantity.text(bytes: bytes)), \(verb) already"
    }
}
