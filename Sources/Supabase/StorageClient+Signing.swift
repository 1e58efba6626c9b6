import Cleansing
import Formats
import Transfer

extension StorageClient {
    /// A URL that shows the object to anyone who has it, for `duration` from now on.
    ///
    /// It stays valid when the object is replaced, and then shows the new content.
    ///
    /// - Parameter duration: At least a second; fractions are dropped.
    package func sign(
        bucket: String, key: String, expiresIn duration: Duration
    ) async throws(StorageError) -> String {
        let answer = try await signed(bucket, key, for: Int(duration.components.seconds))
        return try url(bucket, key, signed: answer)
    }

    /// The same for many objects in one request; `nil` for each that is missing or may not be read.
    ///
    /// - Parameter keys: 1 to 1,000; the URLs come in their order.
    package func sign(
        bucket: String, keys: [String], expiresIn duration: Duration
    ) async throws(StorageError) -> [String?] {
        let answers = try await signed(bucket, keys, for: Int(duration.components.seconds))
        guard answers.count == keys.count else { throw .unreadable(status: 200, "another number of signed URLs") }
        var urls: [String?] = []
        for (key, answer) in zip(keys, answers) {
            urls.append(
                try answer.signedURL.map { (found) throws(StorageError) in
                    try url(bucket, key, signed: found)
                })
        }
        return urls
    }

    /// The answer's URL is not percent-encoded, so only its token is used (contract 1.5).
    private func url(_ bucket: String, _ key: String, signed answer: String) throws(StorageError) -> String {
        guard let mark = answer.lastIndex(of: "="), answer[..<mark].hasSuffix("?token") else {
            throw .unreadable(status: 200, "a signed URL without a token")
        }
        return endpoint.base + Self.path("object/sign", bucket, key) + "?token=" + answer[answer.index(after: mark)...]
    }

    /// The URL of an object in a public bucket.
    package func publicURL(bucket: String, key: String) -> String {
        endpoint.base + Self.path("object/public", bucket, key)
    }

    /// The URL of an object for clients that send credentials which may read it.
    package func authenticatedURL(bucket: String, key: String) -> String {
        endpoint.base + Self.path("object/authenticated", bucket, key)
    }

    /// The URL as the service returns it; a key with `?` is sent in a list, since a path cannot name it.
    private func signed(_ bucket: String, _ key: String, for seconds: Int) async throws(StorageError) -> String {
        guard key.utf8.contains(UInt8(ascii: "?")) else {
            let path = Self.path("object/sign", bucket, key, .signing)
            return try await send(try request(.post, path, json: ["expiresIn": seconds]), as: Signed.self).signedURL
        }
        let answers = try await signed(bucket, [key], for: seconds)
        guard let url = answers.first?.signedURL else {
            throw .refused(.missing(Cleanser().text(answers.first?.error ?? "Object not found", limit: 500)))
        }
        return url
    }

    private func signed(
        _ bucket: String, _ keys: [String], for seconds: Int
    ) async throws(StorageError) -> [ListedSigned] {
        let list = SigningList(expiresIn: seconds, paths: keys)
        return try await send(try request(.post, Self.path("object/sign", bucket), json: list), as: [ListedSigned].self)
    }
}

private struct Signed: Decodable {
    let signedURL: String
}

private struct SigningList: Encodable {
    let expiresIn: Int
    let paths: [String]
}

private struct ListedSigned: Decodable {
    let error: String?
    let signedURL: String?
}
