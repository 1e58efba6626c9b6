import Transfer

extension StorageClient {
    /// One page of the objects whose keys begin with `prefix`, in every folder below it.
    ///
    /// - Parameters:
    ///   - limit: At most 1,000, which is also the most that the service returns.
    ///   - cursor: `nextCursor` of the page before; opaque.
    ///   - byFolder: Whether keys are cut at the next slash and listed as folders.
    package func list(
        bucket: String, prefix: String = "", limit: Int = 1000, cursor: String? = nil, byFolder: Bool = false
    ) async throws(StorageError) -> ObjectPage {
        let query = Listing(prefix: prefix, limit: limit, cursor: cursor, with_delimiter: byFolder ? true : nil)
        return try await send(
            try request(.post, Self.path("object/list-v2", bucket), json: query), as: ObjectPage.self)
    }
}

/// The body of a listing, spelled as the service reads it.
private struct Listing: Encodable {
    let prefix: String
    let limit: Int
    let cursor: String?
    // swift-format-ignore: AlwaysUseLowerCamelCase
    let with_delimiter: Bool?
}
