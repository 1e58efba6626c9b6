import Transfer

extension StorageClient {
    /// A token that lets its holder store one object once, without a sign-in.
    ///
    /// The server decides how long it is valid, from a minute to two hours: request it right before use.
    package func signUpload(bucket: String, key: String, replacing: Bool = false) async throws(StorageError) -> String {
        var request = request(.post, Self.path("object/upload/sign", bucket, key))
        if replacing { request.headers["x-upsert"] = "true" }
        return try await send(request, as: SignedUpload.self).token
    }
}

private struct SignedUpload: Decodable {
    let token: String
}
