import Cleansing
import Transfer

extension StorageClient {
    /// Returns when the service answers with a success; needs no sign-in.
    package func status() async throws(StorageError) {
        _ = try await send(request(.get, "/status"))
    }

    /// The service's version, such as `1.70.6`.
    package func version() async throws(StorageError) -> String {
        let response = try await send(request(.get, "/version"))
        return Cleanser().text(String(decoding: response.body, as: UTF8.self), limit: 100)
    }

    /// Whether the service and its database are healthy; throws where the token is refused.
    package func health() async throws(StorageError) -> Bool {
        try await send(request(.get, "/health"), as: Health.self).healthy
    }
}

private struct Health: Decodable {
    let healthy: Bool
}
