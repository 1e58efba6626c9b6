package import Database

/// One level of a bucket as the older list shows it (contract, section 1.6).
///
/// Names are compared and sorted without case, and folders are grouped by their names.
package struct FolderListing {
    /// What a level is sorted by, in the words of requests.
    package enum Column: String, CaseIterable {
        case name
        case updatedAt = "updated_at"
        case createdAt = "created_at"
        case lastAccessedAt = "last_accessed_at"
    }

    /// Which level is listed, and how.
    package struct Query {
        let bucket: String
        /// Empty, or the folder's name with its slash.
        package let prefix: String
        /// What the names on this level must begin with.
        let search: String
        let column: Column
        let isDescending: Bool

        /// A query for the level below `prefix` whose names begin with `search`.
        package init(bucket: String, prefix: String, search: String, column: Column, isDescending: Bool) {
            self.bucket = bucket
            self.prefix = prefix
            self.search = search
            self.column = column
            self.isDescending = isDescending
        }
    }

    /// All entries of the level, in order.
    package private(set) var entries: [ListingEntry] = []

    /// Reads the level, with the objects that `caller` owns.
    package init(_ query: Query, visibleTo caller: Caller, from index: Connection) throws {
        let prefix = query.prefix.lowercased()
        let wanted = prefix + query.search.lowercased()
        var folders: Set<String> = []
        var objects: [IndexedObject] = []
        try index.each("SELECT \(IndexedObject.columns) FROM objects WHERE bucket = ?", binding: [.text(query.bucket)])
        {
            row in
            let object = IndexedObject(row)
            guard caller.owns(object.key), object.key.lowercased().hasPrefix(wanted) else { return }
            let rest = object.key.dropFirst(prefix.count)
            if let slash = rest.firstIndex(of: "/") {
                folders.insert(String(rest[..<slash]))
            } else if !rest.isEmpty {
                objects.append(object)
            }
        }
        entries = Self.sorted(folders, objects, by: query)
    }

    /// Sorted by name, folders and objects are mixed; sorted by time, folders come first, because they have none.
    private static func sorted(
        _ folders: Set<String>, _ objects: [IndexedObject], by query: Query
    ) -> [ListingEntry] {
        let names = folders.map { (key: $0.lowercased(), entry: ListingEntry.folder($0)) }
        let files = objects.map { object in
            (key: String(object.key.dropFirst(query.prefix.count)).lowercased(), entry: ListingEntry.object(object))
        }
        guard query.column == .name else {
            return folders.sorted().map { .folder($0) } + sorted(objects, by: query).map { .object($0) }
        }
        let sorted = (names + files).sorted { ($0.key, $0.entry.name) < ($1.key, $1.entry.name) }
        return (query.isDescending ? sorted.reversed() : sorted).map(\.entry)
    }

    private static func sorted(_ objects: [IndexedObject], by query: Query) -> [IndexedObject] {
        let sorted = objects.sorted { left, right in
            query.column == .updatedAt
                ? (left.updatedAt, left.key) < (right.updatedAt, right.key)
                : (left.createdAt, left.key) < (right.createdAt, right.key)
        }
        return query.isDescending ? sorted.reversed() : sorted
    }
}
