import ObjectStore
import Serving

extension Route {
    static let deleteRoutes = [
        Route("DELETE", "/object/:/*") { try await $0.deleteObject($1) },
        Route("DELETE", "/object/:") { try await $0.deleteObjects($1) },
    ]
}

extension Depot {
    func deleteObject(_ call: RoutedRequest) async throws -> Response {
        _ = try await call.json()
        let caller = try caller(of: call)
        let (bucket, key) = (call.bucket, call.key)
        try await change { index in
            guard try index.object(key, in: bucket) != nil else { throw ProtocolRefusal.noObject }
            guard caller.owns(key) else { throw ProtocolRefusal.denied("Access denied") }
            try index.removeObject(key, in: bucket)
        }
        return .message("Successfully deleted")
    }

    /// Deletes the listed objects that exist and are the caller's; answers with them, by key.
    func deleteObjects(_ call: RoutedRequest) async throws -> Response {
        let fields = try Fields(try await call.json(), required: ["prefixes"])
        let keys = try fields.texts("prefixes", atLeast: 1) ?? []
        let caller = try caller(of: call)
        let bucket = call.bucket
        let deleted = try await change { index in
            var deleted: [IndexedObject] = []
            for key in Set(keys).sorted() where caller.owns(key) {
                guard let object = try index.object(key, in: bucket) else { continue }
                try index.removeObject(key, in: bucket)
                deleted.append(object)
            }
            return deleted
        }
        return .json(.list(deleted.map(\.row)))
    }
}
