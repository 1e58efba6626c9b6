import FoundationEssentials
import Platform

/// A state file such as `queue.json`: all entries, one a line.
package struct RecordFile<Entry: Storable>: Hashable, Sendable {
    /// The number of the journal that continues this file.
    package let journal: Int
    /// All entries, in the order of the file.
    package let entries: [Entry]

    /// A file of `entries` that journal number `journal` continues.
    package init(journal: Int, entries: [Entry]) {
        self.journal = journal
        self.entries = entries
    }
}

extension RecordFile {
    /// The name of the current file, such as `queue.json`.
    package static var name: String { Entry.storeName + ".json" }
    /// The name of the file before the last fold, such as `queue.json.1`.
    package static var previousName: String { name + ".1" }
    static var version: Int { 1 }

    /// The name of journal `number`.
    package static func journalName(_ number: Int) -> String { "\(Entry.storeName).journal.\(number).jsonl" }

    /// The number in a journal's name, or `nil` for any other file.
    package static func journalNumber(_ name: String) -> Int? {
        let start = Entry.storeName + ".journal."
        guard name.hasPrefix(start), name.hasSuffix(".jsonl") else { return nil }
        let number = Int(name.dropFirst(start.count).dropLast(".jsonl".count))
        return number.flatMap { numbers.contains($0) && journalName($0) == name ? $0 : nil }
    }

    /// The range of journal numbers; each fold takes one, so a larger number is damage.
    private static var numbers: ClosedRange<Int> { 0...1_000_000_000_000 }

    /// The file's text: a JSON document with one entry a line.
    package func encoded() -> [UInt8] { Array(parts.joined()) }

    /// The file's text in parts of about `partSize` bytes.
    var parts: some Sequence<[UInt8]> {
        sequence(state: entries.startIndex as Int?) { next -> [UInt8]? in
            guard var index = next else { return nil }
            var part = index == entries.startIndex ? head : []
            while index < entries.endIndex, part.count < Self.partSize {
                part += (index == entries.startIndex ? "\n" : ",\n").utf8
                part += entries[index].line()
                index += 1
            }
            next = index < entries.endIndex ? index : nil
            if next == nil { part += "\n]}\n".utf8 }
            return part
        }
    }

    private static var partSize: Int { 64 << 10 }

    private var head: [UInt8] {
        let summary = Entry.summary(of: entries).map { "\"summary\":\($0)," } ?? ""
        return Array("{\"version\":\(Self.version),\"journal\":\(journal),\(summary)\"\(Entry.listName)\":[".utf8)
    }

    /// Reads a whole file; throws `NewerRecords` for a later version, `DecodingError` for damage.
    package init(_ bytes: [UInt8]) throws {
        let data = Data(bytes)
        let document: RecordDocument<Entry>
        do {
            document = try QueueCoding.decoder.decode(RecordDocument<Entry>.self, from: data)
        } catch {
            // A later version may have entries that this program cannot read.
            if let head = try? QueueCoding.decoder.decode(RecordHead.self, from: data) {
                try Self.refuse(later: head.version)
            }
            throw error
        }
        try Self.refuse(later: document.version)
        guard document.version == Self.version, Self.numbers.contains(document.journal) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no such version or journal"))
        }
        journal = document.journal
        entries = document.entries
    }

    private static func refuse(later version: Int) throws(NewerRecords) {
        guard version > Self.version else { return }
        throw NewerRecords(name: name, version: version, known: Self.version)
    }
}

/// The file was written by a later version of the program and must not be changed.
package struct NewerRecords: Error, CustomStringConvertible {
    let name: String
    let version: Int
    let known: Int
    /// A sentence that tells the user to run the newer program.
    package var description: String {
        "\(name) has version \(version), this program knows \(known): use the newer gallery-sync"
    }
}

private struct RecordHead: Decodable {
    let version: Int
}

private struct RecordDocument<Entry: Storable>: Decodable {
    let version: Int
    let journal: Int
    let entries: [Entry]

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        version = try container.decode(Int.self, forKey: Key(stringValue: "version"))
        journal = try container.decode(Int.self, forKey: Key(stringValue: "journal"))
        entries = try container.decode([Entry].self, forKey: Key(stringValue: Entry.listName))
    }
}
