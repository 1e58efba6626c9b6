import FoundationEssentials
import Platform

/// `queue.json`: the queue's window, one item a line.
package struct QueueFile: Hashable, Sendable {
    /// The number of the journal that continues this file.
    package let journal: Int
    package let items: [Item]
}

/// One line of `queue.journal.N.jsonl`.
package enum QueueChange: Hashable, Sendable {
    /// The whole new state of one item.
    case set(Item)
    /// The item has no reason to exist any more.
    case withdrawn(ItemIdentifier)
}

extension QueueFile {
    package static let name = "queue.json"
    package static let previousName = "queue.json.1"
    static let version = 1

    package static func journalName(_ number: Int) -> String { "queue.journal.\(number).jsonl" }

    /// The number in a journal's name, or `nil` for any other file.
    package static func journalNumber(_ name: String) -> Int? {
        guard name.hasPrefix("queue.journal."), name.hasSuffix(".jsonl") else { return nil }
        return Int(name.dropFirst("queue.journal.".count).dropLast(".jsonl".count))
    }

    /// The file's text: a JSON document whose items stand one a line.
    package func encoded() throws -> [UInt8] {
        let encoder = QueueCoding.encoder
        var text = Array("{\"version\":\(Self.version),\"journal\":\(journal),\"items\":[".utf8)
        for (index, item) in items.enumerated() {
            text += Array(index == 0 ? "\n".utf8 : ",\n".utf8)
            text += try encoder.encode(item)
        }
        return text + Array("\n]}\n".utf8)
    }

    /// Reads a whole file, or says what is wrong with it.
    package init(_ bytes: [UInt8]) throws {
        struct Document: Decodable {
            let version: Int
            let journal: Int
            let items: [Item]
        }
        let document = try QueueCoding.decoder.decode(Document.self, from: Data(bytes))
        guard document.version == Self.version else { throw NewerQueue(version: document.version) }
        journal = document.journal
        items = document.items
    }

    /// The queue was written by a later version of the program; nothing of it may be touched.
    package struct NewerQueue: Error, CustomStringConvertible {
        let version: Int
        package var description: String {
            "queue.json has version \(version), this program knows \(QueueFile.version): use the newer gallery-sync"
        }
    }
}

extension Item {
    /// The item as one line of JSON, as `queue.json` holds it.
    package func line() throws -> [UInt8] { try QueueChange.set(self).encoded() }
}

extension QueueChange {
    /// The line, without its newline.
    package func encoded() throws -> [UInt8] {
        switch self {
        case .set(let item): Array(try QueueCoding.encoder.encode(item))
        case .withdrawn(let id): Array(try QueueCoding.encoder.encode(Withdrawn(withdrawn: id)))
        }
    }

    package init(line: some Collection<UInt8>) throws {
        let data = Data(line)
        if let withdrawn = try? QueueCoding.decoder.decode(Withdrawn.self, from: data) {
            self = .withdrawn(withdrawn.withdrawn)
        } else {
            self = .set(try QueueCoding.decoder.decode(Item.self, from: data))
        }
    }

    private struct Withdrawn: Codable {
        let withdrawn: ItemIdentifier
    }
}

/// How the queue writes JSON: times in RFC 3339, slashes as they are.
enum QueueCoding {
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(ISO8601.text(date))
        }
        return encoder
    }

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let date = ISO8601.date(text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "“\(text)” is no time in RFC 3339"))
            }
            return date
        }
        return decoder
    }
}
