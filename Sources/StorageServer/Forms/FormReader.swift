/// Finds the parts of a `multipart/form-data` body (RFC 7578) while it arrives.
struct FormReader {
    /// What the header of a part says.
    struct Part: Hashable, Sendable {
        var name = ""
        var type: String?
        var hasFileName = false

        /// Whether it is a file and not a field.
        var isFile: Bool { hasFileName || type == "application/octet-stream" }
    }

    enum Event: Hashable, Sendable {
        case part(Part)
        case bytes([UInt8])
        case partEnded
    }

    /// The body is not a form, or it is incomplete.
    struct Malformed: Error, Hashable {}

    private enum Place {
        case preamble, delimiter, header, content, epilogue
    }

    private let delimiter: [UInt8]
    // The first delimiter may be at the very beginning, without a line before it.
    private var kept: [UInt8] = lineEnd
    private var place = Place.preamble

    private static let lineEnd: [UInt8] = [13, 10]
    private static let headerLimit = 16 << 10

    init(boundary: String) {
        delimiter = Self.lineEnd + Array("--\(boundary)".utf8)
    }

    /// Whether the last delimiter has arrived.
    var isComplete: Bool { place == .epilogue }

    /// The events in `piece` and in what was kept of the pieces before it.
    mutating func read(_ piece: [UInt8]) throws(Malformed) -> [Event] {
        kept += piece
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// Handles the next element of the form; `false` where it has not arrived completely.
    private mutating func step(_ events: inout [Event]) throws(Malformed) -> Bool {
        switch place {
        case .preamble:
            guard let start = position(of: delimiter) else { return keepTail() }
            advance(past: start + delimiter.count, to: .delimiter)
        case .delimiter:
            guard kept.count >= 2 else { return false }
            try passDelimiter()
        case .header:
            let end = position(of: Self.lineEnd + Self.lineEnd)
            // The limit is the same in however many pieces the header came.
            guard (end.map { $0 + 4 } ?? kept.count) <= Self.headerLimit else { throw Malformed() }
            guard let end else { return false }
            events.append(.part(Self.part(kept[..<end])))
            advance(past: end + 4, to: .content)
        case .content:
            guard let end = position(of: delimiter) else {
                let safe = max(0, kept.count - delimiter.count)
                if safe > 0 { events.append(.bytes(Array(kept[..<safe]))) }
                kept.removeFirst(safe)
                return false
            }
            if end > 0 { events.append(.bytes(Array(kept[..<end]))) }
            events.append(.partEnded)
            advance(past: end + delimiter.count, to: .delimiter)
        case .epilogue:
            kept = []
            return false
        }
        return true
    }

    /// Moves on to the next part, or to the end after the last one.
    private mutating func passDelimiter() throws(Malformed) {
        if kept.starts(with: "--".utf8) {
            advance(past: kept.count, to: .epilogue)
        } else if kept.starts(with: Self.lineEnd) {
            // The line end is kept, so that a header without lines ends like any other.
            place = .header
        } else {
            throw Malformed()
        }
    }

    private mutating func advance(past count: Int, to next: Place) {
        kept.removeFirst(count)
        place = next
    }

    private mutating func keepTail() -> Bool {
        kept.removeFirst(max(0, kept.count - delimiter.count))
        return false
    }

    private func position(of wanted: [UInt8]) -> Int? {
        var start = 0
        while let next = kept[start...].firstIndex(of: wanted[0]) {
            if kept[next...].starts(with: wanted) { return next }
            start = next + 1
        }
        return nil
    }
}

// MARK: Header lines

extension FormReader {
    private static func part(_ header: ArraySlice<UInt8>) -> Part {
        var part = Part()
        for line in String(decoding: header, as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            switch line[..<colon].lowercased() {
            case "content-type": part.type = String(value)
            case "content-disposition":
                part.name = parameter("name", of: value) ?? ""
                part.hasFileName = parameter("filename", of: value) != nil
            default: break
            }
        }
        return part
    }

    /// The parameter called `name` of a header's value such as `form-data; name="x"`.
    static func parameter(_ name: String, of value: some StringProtocol) -> String? {
        for item in value.split(separator: ";").dropFirst() {
            let words = item.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, words[0].lowercased() == name else { continue }
            let text = words[1].prefix { $0 != "\"" }
            return words[1].hasPrefix("\"") ? String(words[1].dropFirst().prefix { $0 != "\"" }) : String(text)
        }
        return nil
    }
}
