package import Database

/// How a list is sorted.
package struct ListingOrder: Hashable {
    /// What a list is sorted by.
    package enum Column: String {
        case name
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    /// The column that decides.
    package var column: Column
    /// Whether the greatest comes first.
    var isDescending: Bool

    /// The order in a cursor or in the fields of a request; by name, ascending, where there is none.
    package init(_ sorting: ListingCursor) {
        column = sorting.column.flatMap(Column.init) ?? .name
        isDescending = sorting.order == "desc"
    }
}

/// What a page of a list must contain.
package struct ListingQuery: Hashable {
    /// The bucket that is listed.
    package let bucket: String
    /// What the names must begin with, byte for byte.
    package let prefix: String
    /// The most entries of a page.
    package let limit: Int
    /// Whether names are cut at the next slash and grouped as folders.
    package let hasDelimiter: Bool
    /// The order of the entries.
    package let order: ListingOrder
    /// The position after the page before; `nil` for the first page.
    package let after: ListingCursor?

    /// A query for one page.
    package init(
        bucket: String, prefix: String, limit: Int, hasDelimiter: Bool, order: ListingOrder, after: ListingCursor?
    ) {
        self.bucket = bucket
        self.prefix = prefix
        self.limit = limit
        self.hasDelimiter = hasDelimiter
        self.order = order
        self.after = after
    }
}

/// One entry of a list.
package enum ListingEntry: Hashable {
    /// The name ends with a slash.
    case folder(String)
    case object(IndexedObject)

    /// The folder's name, or the object's key.
    package var name: String {
        switch self {
        case .folder(let name): name
        case .object(let object): object.key
        }
    }
}

/// A page: its entries in order, and whether more follow.
package struct Listing: Hashable {
    /// The entries of the page.
    package var entries: [ListingEntry] = []
    /// Whether more entries follow.
    package var hasNext = false

    /// A page with these entries.
    package init(entries: [ListingEntry] = [], hasNext: Bool = false) {
        self.entries = entries
        self.hasNext = hasNext
    }
}

extension Listing {
    /// Reads the page that `query` asks for.
    package init(_ query: ListingQuery, from index: Connection) throws {
        if query.order.column != .name {
            try self.init(byTime: query, from: index)
        } else {
            try self.init(byName: query, from: index)
        }
    }

    /// Sorts after every text that has the same beginning.
    fileprivate static let end = "\u{10FFFF}"

    private init(byName query: ListingQuery, from index: Connection) throws {
        let isDescending = query.order.isDescending
        var low = query.prefix
        var high = query.prefix + Self.end
        var isLowIncluded = true
        if let last = query.after?.last {
            if isDescending {
                high = min(high, last)
            } else {
                (low, isLowIncluded) = (max(low, query.past(last)), false)
            }
        }
        while entries.count <= query.limit {
            let wanted = query.hasDelimiter ? 1 : query.limit + 1
            let found = try index.rows(
                """
                SELECT \(IndexedObject.columns) FROM objects \
                WHERE bucket = ? AND key \(isLowIncluded ? ">=" : ">") ? AND key < ? \
                ORDER BY key \(isDescending ? "DESC" : "ASC") LIMIT ?
                """,
                .text(query.bucket), .text(low), .text(high), .integer(Int64(wanted)), read: IndexedObject.init)
            let page = found.map { Self.entry($0, in: query) }
            entries += page
            guard query.hasDelimiter, let name = page.first?.name else { break }
            if isDescending { high = name } else { (low, isLowIncluded) = (query.past(name), false) }
        }
        trim(to: query.limit)
    }

    private static func entry(_ object: IndexedObject, in query: ListingQuery) -> ListingEntry {
        let rest = object.key.dropFirst(query.prefix.count)
        guard query.hasDelimiter, let slash = rest.firstIndex(of: "/") else { return .object(object) }
        return .folder(query.prefix + rest[...slash])
    }

    private mutating func trim(to limit: Int) {
        hasNext = entries.count > limit
        entries = Array(entries.prefix(limit))
    }
}

extension ListingQuery {
    /// Where the names after `name` begin; a folder is skipped with everything in it.
    ///
    /// An object whose key ends with a slash is no folder: in a list of folders its key is the prefix itself.
    fileprivate func past(_ name: String) -> String {
        hasDelimiter && name.hasSuffix("/") && name != prefix ? name + Listing.end : name
    }
}

// MARK: By time

extension Listing {
    /// Sorts everything in memory, since no index helps; folders have no time and come first.
    private init(byTime query: ListingQuery, from index: Connection) throws {
        var objects: [(time: Int64, object: IndexedObject)] = []
        var folders: Set<String> = []
        try index.each(
            "SELECT \(IndexedObject.columns) FROM objects WHERE bucket = ? AND key >= ? AND key < ?",
            binding: [.text(query.bucket), .text(query.prefix), .text(query.prefix + Self.end)]
        ) { row in
            switch Self.entry(IndexedObject(row), in: query) {
            case .folder(let name): folders.insert(name)
            case .object(let object): objects.append((query.order.time(of: object), object))
            }
        }
        let isDescending = query.order.isDescending
        let sorted = objects.sorted { left, right in
            let (left, right) = isDescending ? (right, left) : (left, right)
            return (left.time, left.object.key) < (right.time, right.object.key)
        }
        let names = folders.sorted { isDescending ? $0 > $1 : $0 < $1 }
        entries = names.map { .folder($0) } + sorted.map { .object($0.object) }
        if let after = query.after { entries = Array(entries.drop { !query.order.puts($0, behind: after) }) }
        trim(to: query.limit)
    }
}

extension ListingOrder {
    /// The time that `object` is sorted by, in milliseconds since 1970.
    package func time(of object: IndexedObject) -> Int64 { column == .createdAt ? object.createdAt : object.updatedAt }

    /// Whether `entry` comes after the entry in `cursor`.
    fileprivate func puts(_ entry: ListingEntry, behind cursor: ListingCursor) -> Bool {
        let here = place(of: entry)
        let there = (cursor.time.flatMap(ServerTime.milliseconds(iso8601:)), cursor.last)
        if (here.0 == nil) != (there.0 == nil) { return there.0 == nil }
        let pairs = ((here.0 ?? 0, here.1), (there.0 ?? 0, there.1))
        return isDescending ? pairs.0 < pairs.1 : pairs.0 > pairs.1
    }

    private func place(of entry: ListingEntry) -> (Int64?, String) {
        switch entry {
        case .folder(let name): (nil, name)
        case .object(let object): (time(of: object), object.key)
        }
    }
}
