import Database

/// A bucket as the index stores it.
struct IndexedBucket: Hashable, Sendable {
    var id: String
    var owner: String
    var isPublic: Bool
    /// The most bytes of an object; `nil` for the server's own limit.
    var sizeLimit: Int64?
    /// Content types that are accepted, such as `image/*`; `nil` for all.
    var allowedTypes: [String]?
    /// Milliseconds since 1970, like all times in the index.
    var createdAt: Int64
    var updatedAt: Int64
}

extension IndexedBucket {
    /// The most bytes of an object, with the server's limit applied.
    var limit: Int64 { min(sizeLimit ?? .max, Depot.sizeLimit) }

    /// Whether objects of `type` are accepted.
    func allows(_ type: String) -> Bool {
        allowedTypes.map { rules in rules.contains { Names.satisfies(type, rule: $0) } } ?? true
    }
}

extension IndexedBucket {
    static let columns = "id, owner, public, size_limit, allowed_types, created_at, updated_at"

    init(_ row: Row) {
        id = row.text(0)
        owner = row.text(1)
        isPublic = row.flag(2)
        sizeLimit = row.integerOrNil(3)
        allowedTypes = Self.types(row.textOrNil(4))
        createdAt = row.integer(5)
        updatedAt = row.integer(6)
    }

    /// The types in a column, one on each line.
    static func types(_ column: String?) -> [String]? { column.map { $0.split(separator: "\n").map(String.init) } }

    var values: [Value] {
        [
            .text(id), .text(owner), Value(isPublic), Value(sizeLimit),
            Value(allowedTypes?.joined(separator: "\n")), .integer(createdAt), .integer(updatedAt),
        ]
    }

    /// The bucket as answers describe it; only lists contain the type.
    func json(withType: Bool) -> JSON {
        var members: [(String, JSON)] = [
            ("id", .text(id)), ("name", .text(id)), ("owner", .text(owner)), ("public", .flag(isPublic)),
        ]
        if withType { members.append(("type", "STANDARD")) }
        members += [
            ("file_size_limit", .optional(sizeLimit)),
            ("allowed_mime_types", allowedTypes.map { .list($0.map { .text($0) }) } ?? .null),
            ("created_at", .text(ServerTime(milliseconds: createdAt).iso8601)),
            ("updated_at", .text(ServerTime(milliseconds: updatedAt).iso8601)),
        ]
        return .object(members.map { JSON.Member(name: $0.0, value: $0.1) })
    }
}
