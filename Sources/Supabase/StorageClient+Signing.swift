import Cleansing
import Formats
import Transfer

extension StorageClient {
    /// A URL that shows the object to whoever has it, until `duration` from now.
    ///
    /// It keeps working after the object is replaced, and shows the new content.
    ///
    /// - Parameter duration: At least a second; fractions are dropped.
    package func sign(
        bucket: String, key: String, expiresIn duration: Duration
    ) async throws(StorageError) -> String {
        let seconds = Int(duration.components.seconds)
        let answer = try await signed(bucket, key, for: seconds)
        // What is returned is not encoded; of it only the token is needed (contract 1.5).
        guard let mark = answer.lastIndex(of: "="), answer[..<mark].hasSuffix("?token") else {
            throw .unreadable(status: 200, "a signed URL without a token")
        }
        return endpoint.base + Self.path("object/sign", bucket, key) + "?token=" + answer[answer.index(after: mark)...]
    }

    /// The URL of an object in a public bucket.
    package func publicURL(bucket: String, key: String) -> String {
        endpoint.base + Self.path("object/public", bucket, key)
    }

    /// The URL of an object for whoever may read it and says who they are.
    package func authenticatedURL(bucket: String, key: String) -> String {
        endpoint.base + Self.path("object/authenticated", bucket, key)
    }

    /// The service's own words for the URL; keys with `?` cannot be named in a path, so they go in a list.
    private func signed(_ bucket: String, _ key: String, for seconds: Int) async throws(StorageError) -> String {
        guard key.utf8.contains(UInt8(ascii: "?")) else {
            let path = Self.path("object/sign", bucket, key, .signing)
            return try await send(try request(.post, path, json: ["expiresIn": seconds]), as: Signed.self).signedURL
        }
        let list = SigningList(expiresIn: seconds, paths: [key])
        let answers = try await send(
            try request(.post, Self.path("object/sign", bucket), json: list), as: [ListedSigned].self)
        guard let url = answers.first?.signedURL else {
            throw .refused(.missing(Cleanser().text(answers.first?.error ?? "Object not found", limit: 500)))
        }
        return url
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
