package import Database

/// A bucket as the index stores it.
package struct IndexedBucket: Hashable, Sendable {
    /// Its name, which never changes.
    package var id: String
    var owner: String
    /// Whether its objects are served without a token.
    package var isPublic: Bool
    /// The most bytes of an object; `nil` for the server's own limit.
    package var sizeLimit: Int64?
    /// Content types that are accepted, such as `image/*`; `nil` for all.
    package var allowedTypes: [String]?
    /// Milliseconds since 1970, like all times in the index.
    package var createdAt: Int64
    /// When its settings were changed last.
    package var updatedAt: Int64

    /// A bucket with all that the index stores.
    package init(
        id: String, owner: String, isPublic: Bool, sizeLimit: Int64?, allowedTypes: [String]?, createdAt: Int64,
        updatedAt: Int64
    ) {
        self.id = id
        self.owner = owner
        self.isPublic = isPublic
        self.sizeLimit = sizeLimit
        self.allowedTypes = allowedTypes
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

extension IndexedBucket {
    /// The most bytes of an object, whatever its bucket allows.
    package static let serverLimit: Int64 = 500 << 30

    /// The most bytes of an object, with the server's limit applied.
    package var limit: Int64 { min(sizeLimit ?? .max, Self.serverLimit) }

    /// Whether objects of `type` are accepted.
    package func allows(_ type: String) -> Bool {
        allowedTypes.map { rules in rules.contains { Names.satisfies(type, rule: $0) } } ?? true
    }
}

extension IndexedBucket {
    /// The columns that `init(_:)` reads, in order.
    package static let columns = "id, owner, public, size_limit, allowed_types, created_at, updated_at"

    /// Reads a row of `columns`.
    package init(_ row: Row) {
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
    package func json(withType: Bool) -> JSON {
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
