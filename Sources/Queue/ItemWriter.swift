import FoundationEssentials
import Platform
import Text

extension Item {
    /// The item as one line of JSON, as `queue.json` holds it; without a newline.
    package func line() -> [UInt8] {
        var writer = ItemWriter(capacity: 768)
        writer.write(self)
        return writer.bytes
    }

    /// The item that `line` wrote; throws `DecodingError`.
    package init(line: [UInt8]) throws {
        self = try QueueCoding.decoder.decode(Item.self, from: Data(line))
    }
}

/// Writes items as JSON, one a line, with the keys in the order that `design.md` documents.
///
/// Written by hand: Foundation's encoder takes ten times as long, too long for 50,000 changes a second, and does
/// not keep the order of keys.
struct ItemWriter {
    private(set) var bytes: [UInt8] = []

    /// An empty writer with room for `capacity` bytes.
    init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    mutating func write(_ item: Item) {
        raw("{\"id\":")
        text(item.id.text)
        writeSource(item)
        writeTarget(item)
        writeTimes(item)
        raw(item.sent ? ",\"sent\":true" : ",\"sent\":false")
        if let resume = item.resume { write(resume) }
        raw("}")
    }

    private mutating func writeSource(_ item: Item) {
        raw(",\"root\":")
        text(item.root)
        raw(",\"path\":")
        text(item.path)
        if let pathBytes = item.pathBytes {
            raw(",\"pathBytes\":")
            text(pathBytes)
        }
        raw(",\"role\":")
        text(item.role.rawValue)
        raw(",\"contentType\":")
        text(item.contentType)
        raw(",\"size\":")
        raw(String(item.size))
        raw(",\"sha256\":")
        text(item.sha256)
        raw(",\"modifiedAt\":\"")
        ISO8601.append(item.modifiedAt, digits: item.modifiedAt.digits, to: &bytes)
        raw("\"")
    }

    private mutating func writeTarget(_ item: Item) {
        raw(",\"bucket\":")
        text(item.bucket)
        raw(",\"objectKey\":")
        text(item.objectKey.text)
        raw(",\"status\":")
        text(item.status.rawValue)
        raw(",\"retryCount\":")
        raw(String(item.retryCount))
        raw(",\"blocked\":")
        if let blocked = item.blocked { text(blocked.rawValue) } else { raw("null") }
        guard let failure = item.lastError else { return }
        raw(",\"lastError\":{\"code\":")
        text(failure.code.text)
        raw(",\"message\":")
        text(failure.message)
        raw(failure.retryable ? ",\"retryable\":true}" : ",\"retryable\":false}")
    }

    private mutating func writeTimes(_ item: Item) {
        raw(",\"createdAt\":")
        time(item.createdAt)
        if let date = item.forcedAt {
            raw(",\"forcedAt\":")
            time(date)
        }
        if let date = item.lastAttemptAt {
            raw(",\"lastAttemptAt\":")
            time(date)
        }
        if let date = item.nextAttemptAt {
            raw(",\"nextAttemptAt\":")
            time(date)
        }
        if let date = item.completedAt {
            raw(",\"completedAt\":")
            time(date)
        }
    }

    private mutating func write(_ resume: Item.Resume) {
        raw(",\"resume\":{\"uploadID\":")
        text(resume.uploadID)
        raw(",\"createdAt\":")
        time(resume.createdAt)
        raw(",\"offset\":")
        raw(String(resume.offset))
        if let pieces = resume.pieces {
            raw(",\"pieces\":")
            raw(pieces.json)
        }
        if let furthest = resume.furthest {
            raw(",\"furthest\":")
            raw(String(furthest))
        }
        raw("}")
    }

    /// Appends JSON that needs no escaping.
    mutating func raw(_ json: String) { bytes.append(contentsOf: json.utf8) }

    /// A JSON string (RFC 8259, section 7): quotes, backslashes and control characters escaped.
    mutating func text(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
            for byte in text.utf8 { escape(byte) }
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        guard Self.isSpecial(byte) else { return bytes.append(byte) }
        guard byte < 0x20 else { return bytes.append(contentsOf: [UInt8(ascii: "\\"), byte]) }
        raw("\\u00")
        raw([byte].hexadecimal)
    }

    private mutating func time(_ date: Date) {
        raw("\"")
        ISO8601.append(FileTime(date), to: &bytes)
        raw("\"")
    }
}
