import ObjectStore

/// What a request to the resumable endpoint may do with one key.
struct UploadAccess: Sendable {
    let caller: Caller
    /// Whether an existing object is replaced.
    let replaces: Bool
}

extension Depot {
    /// The access by the request's own `x-upsert`, or by its `x-signature` where there is no caller.
    func access(_ call: RoutedRequest, to bucket: String, _ key: String, by caller: Caller?) throws -> UploadAccess {
        if let caller { return UploadAccess(caller: caller, replaces: call.header("x-upsert") == "true") }
        guard let signature = call.header("x-signature") else { throw ResumableRefusal.noSignature }
        return try signedUpload(signature, bucket: bucket, key: key)
    }

    /// What the token of a signed upload allows; throws where it is not valid for this key.
    func signedUpload(_ text: String, bucket: String, key: String) throws(ProtocolRefusal) -> UploadAccess {
        let claims: JSON
        do {
            claims = try token.claims(of: text, now: clock() / 1000)
        } catch {
            throw .badToken(error)
        }
        guard claims["scope"] == "upload" else { throw .wrongUploadScope }
        guard claims["url"]?.string == "\(bucket)/\(key)" else { throw .badSignature }
        // The user who signed the URL was allowed to store, so its holder is as well.
        return UploadAccess(
            caller: Caller(role: .service, subject: claims["owner"]?.string), replaces: claims["upsert"] == true)
    }

    /// The bucket for `key`; throws where `access` does not allow storing there now.
    func permittedBucket(_ id: String, _ key: String, _ access: UploadAccess) async throws -> IndexedBucket {
        let (found, isTaken) = try await index.read { index in
            (try index.bucket(id), try index.object(key, in: id) != nil)
        }
        guard let bucket = found else { throw ProtocolRefusal.noBucket }
        try permit(access.caller, toStore: key, in: id, isTaken: isTaken && !access.replaces)
        return bucket
    }
}
