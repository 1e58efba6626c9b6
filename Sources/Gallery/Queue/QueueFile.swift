import FoundationEssentials
import Platform

/// `queue.json`: the queue's window, one item a line.
package struct QueueFile: Hashable, Sendable {
    /// The number of the journal that continues this file.
    package let journal: Int
    package let items: [Item]

    /// A file of `items` that journal number `journal` continues.
    package init(journal: Int, items: [Item]) {
        self.journal = journal
        self.items = items
    }
}

extension QueueFile {
    package static let name = "queue.json"
    package static let previousName = "queue.json.1"
    static let version = 1

    /// The name of journal `number`.
    package static func journalName(_ number: Int) -> String { "queue.journal.\(number).jsonl" }

    /// The number in a journal's name, or `nil` for any other file.
    package static func journalNumber(_ name: String) -> Int? {
        guard name.hasPrefix("queue.journal."), name.hasSuffix(".jsonl") else { return nil }
        let number = Int(name.dropFirst("queue.journal.".count).dropLast(".jsonl".count))
        return number.flatMap { numbers.contains($0) && journalName($0) == name ? $0 : nil }
    }

    /// What a journal's number can be; one a fold, so that a larger one is damage.
    private static let numbers = 0...1_000_000_000_000

    /// The file's text: a JSON document whose items stand one a line.
    package func encoded() -> [UInt8] {
        var writer = ItemWriter()
        writer.raw(
            "{\"version\":\(Self.version),\"journal\":\(journal),\"summary\":\(QueueGlance(items).json),\"items\":[")
        var separator = "\n"
        for item in items {
            writer.raw(separator)
            writer.write(item)
            separator = ",\n"
        }
        writer.raw("\n]}\n")
        return writer.bytes
    }

    /// Reads a whole file, or says what is wrong with it.
    package init(_ bytes: [UInt8]) throws {
        let data = Data(bytes)
        // The version first: a later one may write items that this program cannot read.
        if let head = try? QueueCoding.decoder.decode(Head.self, from: data), head.version > Self.version {
            throw NewerQueue(version: head.version)
        }
        let document = try QueueCoding.decoder.decode(Document.self, from: data)
        guard document.version == Self.version, Self.numbers.contains(document.journal) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no such version or journal"))
        }
        journal = document.journal
        items = document.items
    }

    private struct Head: Decodable {
        let version: Int
    }

    private struct Document: Decodable {
        let version: Int
        let journal: Int
        let items: [Item]
    }

    /// The queue was written by a later version of the program; nothing of it may be touched.
    package struct NewerQueue: Error, CustomStringConvertible {
        let version: Int
        package var description: String {
            "queue.json has version \(version), this program knows \(QueueFile.version): use the newer gallery-sync"
        }
    }
}

/// One line of `queue.journal.N.jsonl`.
package enum QueueChange: Hashable, Sendable {
    /// The whole new state of one item.
    case set(Item)
    /// The item has no reason to exist any more.
    case withdrawn(ItemIdentifier)
}

extension QueueChange {
    /// The line, without its newline.
    package func encoded() -> [UInt8] {
        switch self {
        case .set(let item):
            return item.line()
        case .withdrawn(let id):
            var writer = ItemWriter()
            writer.raw(Self.withdrawnHead)
            writer.text(id.text)
            writer.raw("}")
            return writer.bytes
        }
    }

    /// Reads a line, or says what is wrong with it.
    package init(line: some Collection<UInt8>) throws {
        let data = Data(line)
        if line.starts(with: Self.withdrawnHead.utf8) {
            self = .withdrawn(try QueueCoding.decoder.decode(Withdrawn.self, from: data).withdrawn)
        } else {
            self = .set(try QueueCoding.decoder.decode(Item.self, from: data))
        }
    }

    private static let withdrawnHead = "{\"withdrawn\":"

    private struct Withdrawn: Decodable {
        let withdrawn: ItemIdentifier
    }
}

/// How the agent's own JSON is read and written: times in RFC 3339, slashes as they are.
enum QueueCoding {
    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(ISO8601.text(date))
        }
        return encoder
    }()

    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            try FileTime(from: decoder).date
        }
        return decoder
    }()
}
