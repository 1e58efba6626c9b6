import Platform

/// A line of JSON whose first member is a checksum over the rest of it.
///
///     {"sum":"<16 hex digits>","row":{…}}
enum SealedLine {
    private static let opening = Array("{\"sum\":\"".utf8)
    private static let sumLength = 16

    /// The line with its checksum and newline; `rest` is everything after the checksum's comma.
    static func bytes(_ rest: String) -> [UInt8] {
        let rest = Array(rest.utf8)
        return opening + sum(rest[...]) + "\",".utf8 + rest + "\n".utf8
    }

    /// The line in `bytes`, with or without its newline; `nil` when they are damaged.
    static func json(_ bytes: ArraySlice<UInt8>) -> JSON? {
        let line = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
        let start = line.startIndex + opening.count
        let rest = start + sumLength + 2
        guard line.count > rest - line.startIndex, line.starts(with: opening),
            line[start..<start + sumLength].elementsEqual(sum(line[rest...]))
        else { return nil }
        return JSON(parsing: Array(line))
    }

    private static func sum(_ rest: ArraySlice<UInt8>) -> [UInt8] {
        Array(SHA256.hash(rest).hexadecimal.utf8.prefix(sumLength))
    }
}
