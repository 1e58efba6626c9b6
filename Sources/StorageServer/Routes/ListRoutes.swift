import ObjectStore
import Serving

extension Route {
    static let listRoutes = [
        Route("POST", "/object/list-v2/:") { try await $0.listPage($1) },
        Route("POST", "/object/list/:") { try await $0.listFolder($1) },
    ]
}

extension Depot {
    /// The most entries of a page.
    private static let pageLimit = 1000

    /// A page of a bucket's objects, flat or one folder at a time (contract, section 1.6).
    func listPage(_ call: RoutedRequest) async throws -> Response {
        let fields = try Fields(try await call.json())
        let prefix = try fields.text("prefix") ?? ""
        let limit = try fields.integer("limit", atLeast: 1) ?? Int64(Self.pageLimit)
        let encodedCursor = try fields.text("cursor") ?? ""
        let hasDelimiter = try fields.flag("with_delimiter") ?? false
        let sort = try fields.fields("sortBy", required: ["column"])
        let column = try sort?.choice("column", of: ["name", "updated_at", "created_at"])
        let order = try sort?.choice("order", of: ["asc", "desc"])
        let caller = try caller(of: call)
        guard Names.isBucket(call.bucket) else { throw ProtocolRefusal.badBucketName }
        let cursor = encodedCursor.isEmpty ? nil : try ListingCursor(encoded: encodedCursor)
        let sorting = ListingCursor(last: "", order: cursor?.order ?? order, column: cursor?.column ?? column)
        let query = ListingQuery(
            bucket: call.bucket, prefix: prefix, limit: min(Int(min(limit, .max)), Self.pageLimit),
            hasDelimiter: hasDelimiter, order: ListingOrder(sorting), after: cursor)
        return .json(try await page(query, for: caller).json(query, sorting, for: call))
    }

    private func page(_ query: ListingQuery, for caller: Caller) async throws -> Listing {
        switch caller.role {
        case .service: return try await index.read { try Listing(query, from: $0) }
        case .anyone: return Listing()
        case .user:
            guard let folder = caller.ownFolder else { return Listing() }
            // Users see only their own folder: its content, or the folder itself as the only entry of a level above it.
            if query.prefix.hasPrefix(folder) { return try await index.read { try Listing(query, from: $0) } }
            guard folder.hasPrefix(query.prefix) else { return Listing() }
            let narrowed = ListingQuery(
                bucket: query.bucket, prefix: folder, limit: query.limit, hasDelimiter: false, order: query.order,
                after: query.after)
            let own = try await index.read { try Listing(narrowed, from: $0) }
            guard query.hasDelimiter, !own.entries.isEmpty else { return own }
            let visible = folder.dropFirst(query.prefix.count).prefix { $0 != "/" }
            return Listing(entries: query.after == nil ? [.folder(query.prefix + visible + "/")] : [])
        }
    }
}

extension Listing {
    fileprivate func json(_ query: ListingQuery, _ sorting: ListingCursor, for call: RoutedRequest) -> JSON {
        var members: [(String, JSON)] = [("hasNext", .flag(hasNext))]
        if hasNext, let last = entries.last {
            var cursor = sorting
            cursor.last = last.name
            if query.order.column != .name, case .object(let object) = last {
                cursor.time = ServerTime(milliseconds: query.order.time(of: object)).iso8601
            }
            members += [("nextCursor", .text(cursor.encoded)), ("nextCursorKey", .text(last.name))]
        }
        var folders: [JSON] = []
        var objects: [JSON] = []
        for entry in entries {
            switch entry {
            case .folder(let name): folders.append(Self.folder(name))
            case .object(var object):
                object.content.size = call.reported(object.content.size)
                objects.append(Self.object(object, hasKey: query.hasDelimiter))
            }
        }
        members += [("folders", .list(folders)), ("objects", .list(objects))]
        return .object(members.map { JSON.Member(name: $0.0, value: $0.1) })
    }

    private static func folder(_ name: String) -> JSON {
        [
            "key": .text(lastSegment(name)), "name": .text(name), "id": .null, "updated_at": .null,
            "created_at": .null, "last_accessed_at": .null, "metadata": .null,
        ]
    }

    private static func object(_ object: IndexedObject, hasKey: Bool) -> JSON {
        let created = JSON.text(ServerTime(milliseconds: object.createdAt).iso8601)
        let updated = JSON.text(ServerTime(milliseconds: object.updatedAt).iso8601)
        if hasKey {
            return [
                "key": .text(lastSegment(object.key)), "name": .text(object.key), "id": .text(object.id),
                "updated_at": updated, "created_at": created, "last_accessed_at": created,
                "metadata": object.content.json,
            ]
        }
        return [
            "id": .text(object.id), "name": .text(object.key), "metadata": object.content.json,
            "updated_at": updated, "created_at": created, "last_accessed_at": created,
        ]
    }

    private static func lastSegment(_ name: String) -> String {
        name.split(separator: "/").last.map(String.init) ?? ""
    }
}
