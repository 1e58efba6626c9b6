import FoundationEssentials

/// One line of a journal.
package enum RecordChange<Entry: Storable>: Hashable, Sendable {
    /// The whole new state of one entry.
    case set(Entry)
    /// The entry was removed.
    case withdrawn(Entry.ID)
}

extension RecordChange {
    /// The line, without its newline.
    package func encoded() -> [UInt8] {
        switch self {
        case .set(let entry): return entry.line()
        case .withdrawn(let id):
            // An identifier always encodes.
            let name = (try? QueueCoding.encoder.encode(id)).map { Array($0) } ?? Array("null".utf8)
            return Array(Self.withdrawnHead.utf8) + name + [UInt8(ascii: "}")]
        }
    }

    /// Reads a line without its newline; throws `DecodingError` where it is damaged.
    package init(line: some Collection<UInt8>) throws {
        let data = Data(line)
        if line.starts(with: Self.withdrawnHead.utf8) {
            self = .withdrawn(try QueueCoding.decoder.decode(Withdrawn.self, from: data).withdrawn)
        } else {
            self = .set(try QueueCoding.decoder.decode(Entry.self, from: data))
        }
    }

    private static var withdrawnHead: String { "{\"withdrawn\":" }

    private struct Withdrawn: Decodable {
        let withdrawn: Entry.ID
    }
}
