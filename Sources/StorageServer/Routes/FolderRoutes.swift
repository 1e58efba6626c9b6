import ObjectStore
import Serving

extension Depot {
    /// The most entries of an answer of the older list.
    private static let folderLimit: Int64 = 1500

    /// One level of a bucket, page by page; a bucket that does not exist appears empty.
    func listFolder(_ call: RoutedRequest) async throws -> Response {
        let fields = try Fields(try await call.json(), required: ["prefix"])
        let prefix = try fields.requiredText("prefix")
        let limit = try fields.integer("limit", atLeast: 1) ?? 100
        let offset = try fields.integer("offset", atLeast: 0) ?? 0
        let search = try fields.text("search") ?? ""
        let sort = try fields.fields("sortBy", required: ["column"])
        let column = try sort?.choice("column", of: FolderListing.Column.allCases.map(\.rawValue))
        let order = try sort?.choice("order", of: ["asc", "desc"])
        let caller = try caller(of: call)
        let query = FolderListing.Query(
            bucket: call.bucket, prefix: prefix.isEmpty || prefix.hasSuffix("/") ? prefix : prefix + "/",
            search: search, column: column.flatMap(FolderListing.Column.init) ?? .name, isDescending: order == "desc")
        let listing = try await index.read { try FolderListing(query, visibleTo: caller, from: $0) }
        let page = listing.entries.dropFirst(Int(min(offset, Int64(Int.max))))
            .prefix(Int(min(limit, Self.folderLimit)))
        return .json(.list(page.map { $0.json(below: query.prefix, for: call) }))
    }
}

extension ListingEntry {
    /// The entry with its name below `prefix`; a folder has no other facts.
    fileprivate func json(below prefix: String, for call: RoutedRequest) -> JSON {
        switch self {
        case .folder(let name):
            return [
                "name": .text(name), "id": .null, "updated_at": .null, "created_at": .null,
                "last_accessed_at": .null, "metadata": .null,
            ]
        case .object(var object):
            object.content.size = call.reported(object.content.size)
            let created = JSON.text(ServerTime(milliseconds: object.createdAt).iso8601)
            return [
                "name": .text(String(object.key.dropFirst(prefix.count))), "id": .text(object.id),
                "updated_at": .text(ServerTime(milliseconds: object.updatedAt).iso8601), "created_at": created,
                "last_accessed_at": created, "metadata": object.content.json,
            ]
        }
    }
}
