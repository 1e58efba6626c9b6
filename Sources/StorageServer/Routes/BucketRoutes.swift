import Database
import ObjectStore
import Serving

extension Route {
    static let bucketRoutes = [
        Route("POST", "/bucket") { try await $0.createBucket($1) },
        Route("GET", "/bucket") { try await $0.listBuckets($1) },
        Route("GET", "/bucket/:") { try await $0.showBucket($1) },
        Route("PUT", "/bucket/:") { try await $0.updateBucket($1) },
        Route("DELETE", "/bucket/:") { try await $0.deleteBucket($1) },
        Route("POST", "/bucket/:/empty") { try await $0.emptyBucket($1) },
    ]
}

extension Depot {
    func createBucket(_ call: RoutedRequest) async throws -> Response {
        let fields = try Fields(try await call.json(), required: ["name"])
        let name = try fields.requiredText("name")
        let id = try fields.text("id") ?? name
        let isPublic = try fields.flag("public") ?? false
        _ = try fields.choice("type", of: ["STANDARD", "ANALYTICS"])
        let caller = try caller(of: call)
        guard Names.isBucket(name), Names.isBucket(id) else { throw ProtocolRefusal.badBucketName }
        let now = clock()
        let bucket = IndexedBucket(
            id: id, owner: caller.subject ?? "", isPublic: isPublic, sizeLimit: try sizeLimit(fields),
            allowedTypes: try allowedTypes(fields), createdAt: now, updatedAt: now)
        guard caller.ownsBuckets else { throw ProtocolRefusal.policyViolated }
        try await index.write { index in
            guard try index.bucket(bucket.id) == nil else { throw ProtocolRefusal.bucketExists }
            try index.put(bucket)
        }
        return .json(["name": .text(name)])
    }

    func showBucket(_ call: RoutedRequest) async throws -> Response {
        let caller = try caller(of: call)
        guard caller.ownsBuckets else { throw ProtocolRefusal.noBucket }
        return .json(try await bucket(call.bucket).json(withType: false))
    }

    func listBuckets(_ call: RoutedRequest) async throws -> Response {
        let query = try Fields(Self.query(of: call), at: "querystring")
        let limit = try query.integer("limit", atLeast: 1) ?? .max
        let offset = try query.integer("offset", atLeast: 0) ?? 0
        let column = try query.choice("sortColumn", of: ["id", "name", "created_at", "updated_at"]) ?? "id"
        let isDescending = try query.choice("sortOrder", of: ["asc", "desc"]) == "desc"
        let search = try query.text("search")?.lowercased() ?? ""
        guard try caller(of: call).ownsBuckets else { return .json([]) }
        let buckets = try await index.read { index in
            try index.rows("SELECT \(IndexedBucket.columns) FROM buckets ORDER BY id", read: IndexedBucket.init)
        }
        let found = buckets.filter { search.isEmpty || $0.id.lowercased().contains(search) }
        let sorted = found.sorted { left, right in
            let (left, right) = isDescending ? (right, left) : (left, right)
            return switch column {
            case "created_at": (left.createdAt, left.id) < (right.createdAt, right.id)
            case "updated_at": (left.updatedAt, left.id) < (right.updatedAt, right.id)
            default: left.id < right.id
            }
        }
        let page = sorted.dropFirst(Int(offset)).prefix(Int(limit))
        return .json(.list(page.map { $0.json(withType: true) }))
    }

    func updateBucket(_ call: RoutedRequest) async throws -> Response {
        let fields = try Fields(try await call.json())
        if fields.isEmpty { throw ProtocolRefusal.schema("body must NOT have fewer than 1 properties") }
        let isPublic = try fields.flag("public")
        let sizeLimit = try sizeLimit(fields)
        let allowedTypes = try allowedTypes(fields)
        let caller = try caller(of: call)
        guard caller.ownsBuckets else { throw ProtocolRefusal.noBucket }
        let id = call.bucket
        let now = clock()
        try await index.write { index in
            guard var bucket = try index.bucket(id) else { throw ProtocolRefusal.noBucket }
            if let isPublic { bucket.isPublic = isPublic }
            if fields.has("file_size_limit") { bucket.sizeLimit = sizeLimit }
            if fields.has("allowed_mime_types") { bucket.allowedTypes = allowedTypes }
            bucket.updatedAt = now
            try index.update(bucket)
        }
        return .message("Successfully updated")
    }

    func deleteBucket(_ call: RoutedRequest) async throws -> Response {
        _ = try await call.json(toleratesEmpty: true)
        let caller = try caller(of: call)
        guard caller.ownsBuckets else { throw ProtocolRefusal.noBucket }
        let id = call.bucket
        try await index.write { index in
            guard try index.bucket(id) != nil else { throw ProtocolRefusal.noBucket }
            guard try !index.hasObjects(in: id) else { throw ProtocolRefusal.bucketNotEmpty }
            try index.removeBucket(id)
        }
        return .message("Successfully deleted")
    }

    /// Removes all objects before it answers, although the answer says that it happens later.
    func emptyBucket(_ call: RoutedRequest) async throws -> Response {
        _ = try await call.json(toleratesEmpty: true)
        guard try caller(of: call).ownsBuckets else {
            throw ProtocolRefusal.denied("Access denied: Invalid role", status: 403)
        }
        let id = try await bucket(call.bucket).id
        try await change { try $0.run("DELETE FROM objects WHERE bucket = ?", .text(id)) }
        return .message("Empty bucket has been queued. Completion may take up to an hour.")
    }
}

// MARK: Fields

extension Depot {
    private static let queryNames = ["limit", "offset", "sortColumn", "sortOrder", "search"]

    private static func query(of call: RoutedRequest) -> JSON {
        .object(
            queryNames.compactMap { name in
                call.request.queryItem(name).map { JSON.Member(name: name, value: .text($0)) }
            })
    }

    /// The bytes of `file_size_limit`: a number, or a text such as `20MB` in decimal units.
    private func sizeLimit(_ fields: Fields) throws(ProtocolRefusal) -> Int64? {
        let limit: Int64
        switch fields["file_size_limit"] {
        case nil, .null: return nil
        case .text(let text): limit = try Self.bytes(of: text)
        default: limit = try fields.integer("file_size_limit", atLeast: 0) ?? 0
        }
        guard limit <= IndexedBucket.serverLimit else { throw .tooLarge }
        return limit == 0 ? nil : limit
    }

    private static func bytes(of text: String) throws(ProtocolRefusal) -> Int64 {
        let text = text.lowercased()
        for (unit, factor) in [("gb", 1e9), ("mb", 1e6), ("kb", 1e3), ("b", 1)] where text.hasSuffix(unit) {
            let digits = text.dropLast(unit.count)
            guard let first = digits.first, first.isNumber, digits.last != ".",
                digits.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }), let number = Double(digits)
            else { break }
            return Int64(min(number * factor, 1e18))
        }
        throw .badSizeLimit
    }

    private func allowedTypes(_ fields: Fields) throws(ProtocolRefusal) -> [String]? {
        if fields["allowed_mime_types"] == .null { return nil }
        guard let types = try fields.texts("allowed_mime_types") else { return nil }
        for type in types where !Names.isTypeRule(type) { throw .badType(type) }
        return types.isEmpty ? nil : types
    }
}
