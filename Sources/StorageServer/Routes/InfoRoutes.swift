import ObjectStore
import Serving

extension Route {
    static let infoRoutes = [
        Route("GET", "/object/info/public/:/*") { .info(try await $0.publicObject($1), for: $1) },
        Route("GET", "/object/info/authenticated/:/*") { depot, call in
            .info(try await depot.readable(call, by: depot.caller(of: call)), for: call)
        },
        Route("GET", "/object/info/:/*") { depot, call in
            let caller = depot.anyCaller(of: call)
            if caller.role == .anyone { return .info(try await depot.publicObject(call), for: call) }
            return .info(try await depot.readable(call, by: caller), for: call)
        },
    ]
}

extension Response {
    /// Everything that is known about `object`, user metadata included.
    fileprivate static func info(_ object: IndexedObject, for call: RoutedRequest) -> Response {
        let content = object.content
        let modified = ServerTime(milliseconds: content.modifiedAt)
        return .json(
            headers: [
                "Cache-Control": content.cacheControl, "ETag": content.eTag, "Last-Modified": modified.httpDate,
            ],
            [
                "id": .text(object.id), "name": .text(object.key), "version": .text(object.version),
                "bucket_id": .text(object.bucket), "size": .integer(call.reported(content.size)),
                "content_type": .text(content.type), "cache_control": .text(content.cacheControl),
                "etag": .text(content.eTag), "metadata": object.userMetadataJSON,
                "last_modified": .text(modified.iso8601),
                "created_at": .text(ServerTime(milliseconds: object.createdAt).iso8601),
            ])
    }
}
