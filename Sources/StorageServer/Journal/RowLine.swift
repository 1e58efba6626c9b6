import Platform

/// One line of the journal of rows.
enum RowLine: Hashable {
    /// The first one: whose journal it is.
    case header(id: String, number: Int64)
    /// What one request changed.
    case changes([RowChange], number: Int64)

    private static let opening = Array("{\"sum\":\"".utf8)
    private static let sumLength = 16

    /// The line, its newline included, whose members after the checksum are `rest`.
    static func bytes(_ rest: String) -> [UInt8] {
        let rest = Array(rest.utf8)
        return opening + sum(rest[...]) + "\",".utf8 + rest + "\n".utf8
    }

    /// The line that `bytes`, without a newline, hold; `nil` when they are not as they were written.
    init?(_ bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex + Self.opening.count
        let rest = start + Self.sumLength + 2
        guard bytes.count > rest - bytes.startIndex, bytes.starts(with: Self.opening),
            bytes[start..<start + Self.sumLength].elementsEqual(Self.sum(bytes[rest...])),
            let json = JSON(parsing: Array(bytes)), case .integer(let number) = json["n"]
        else { return nil }
        if let id = json["journal"]?.string {
            guard json["version"] == 1 else { return nil }
            self = .header(id: id, number: number)
        } else {
            guard case .list(let items) = json["changes"] else { return nil }
            let changes = items.compactMap { RowChange($0) }
            guard changes.count == items.count else { return nil }
            self = .changes(changes, number: number)
        }
    }

    private static func sum(_ rest: ArraySlice<UInt8>) -> [UInt8] {
        Array(SHA256.hash(rest).hexadecimal.utf8.prefix(sumLength))
    }
}
