package import MediaModel

/// The day on which an AVI was made (Microsoft, RIFF: `ICRD` in a list `INFO`), with the time where it is stated.
package enum AVIDate {
    /// The most chunks that are looked at; an AVI has a handful, or one for each gigabyte.
    private static let chunkLimit = 1000
    /// The most bytes of a list that are read.
    private static let listLimit = 64 << 10

    /// The date, wherever the list lies; `nil` where it is not stated.
    ///
    /// - Parameter read: As many bytes at an offset as there are, up to a count; none if they cannot be read.
    package static func time(read: (_ offset: Int, _ count: Int) -> [UInt8]) -> CivilTime? {
        var offset = 0
        for _ in 0..<chunkLimit {
            let head = read(offset, 12)
            guard head.count == 12 else { return nil }
            let length = head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
            if head.starts(with: "RIFF".utf8) {
                // The file itself, whose chunks follow.
                offset += 12
                continue
            }
            if head.starts(with: "LIST".utf8), head[8...].elementsEqual("INFO".utf8), length > 4 {
                if let time = time(inList: read(offset + 12, min(length - 4, listLimit))) { return time }
            }
            offset += 8 + length + length % 2
        }
        return nil
    }

    private static func time(inList list: [UInt8]) -> CivilTime? {
        var rest = list[...]
        while rest.count > 8 {
            let length = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            let content = rest.dropFirst(8).prefix(length)
            if rest.starts(with: "ICRD".utf8) {
                let text = String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
                // A year alone is that of a song or a film.
                return CivilTime(iso8601: text) ?? (text.utf8.count == 10 ? CivilTime(dayAlone: text) : nil)
            }
            rest = rest.dropFirst(8 + length + length % 2)
        }
        return nil
    }
}
