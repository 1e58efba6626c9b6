import Cleansing
import Formats
import FoundationEssentials
package import Transfer

/// Supabase Storage's REST interface, typed (contract sections 1 to 3).
///
/// Keys and bucket names are given as they are; percent-encoding happens here. Each call is one
/// request and only a refused token is retried, once. Throws `StorageError` for every answer but a success.
package struct StorageClient: Sendable {
    /// Where the service answers; every request goes there, apart from uploads in pieces (see `direct`).
    package let endpoint: StorageEndpoint
    /// Asked before each request, so that a token may be renewed between two chunks of one upload.
    package let credentials: CredentialsSource
    /// Sends the requests; tests replace it.
    package let transport: any Transport
    /// How long each request may take.
    package var timeouts = Timeouts()

    /// A client that asks `credentials` before each request.
    package init(
        endpoint: StorageEndpoint, transport: any Transport, credentials: @escaping CredentialsSource
    ) {
        self.endpoint = endpoint
        self.credentials = credentials
        self.transport = transport
    }

    /// A client that sends the same credentials with every request.
    package init(endpoint: StorageEndpoint, credentials: StorageCredentials, transport: any Transport) {
        self.init(endpoint: endpoint, transport: transport) { _ throws(StorageError) in credentials }
    }
}

extension StorageClient {
    /// A request to `path` below the base, without a body; `send` signs it.
    func request(_ method: HTTPMethod, _ path: String) -> HTTPRequest {
        var request = HTTPRequest(method, endpoint.base + path, answer: .memory(limit: 16 << 20))
        request.unixSocket = endpoint.unixSocket
        request.timeouts = timeouts
        return request
    }

    /// A request with a JSON body.
    func request(
        _ method: HTTPMethod, _ path: String, json: some Encodable
    ) throws(StorageError) -> HTTPRequest {
        var request = request(method, path)
        request.headers["content-type"] = "application/json"
        request.body = .bytes(Array(try Self.encode(json)))
        return request
    }

    /// Signs and sends a request; throws a refusal for every status that is not a success.
    ///
    /// Where a token is refused, the source is asked once more; if it returns another one, the request is repeated.
    func send(_ request: HTTPRequest) async throws(StorageError) -> HTTPResponse {
        let first = try await credentials(nil)
        do {
            return try await send(request, as: first)
        } catch {
            guard error.refusal?.answerClass == .signIn else { throw error }
            let second = try await credentials(first)
            guard second != first else { throw error }
            request.body.restart()
            return try await send(request, as: second)
        }
    }

    private func send(
        _ request: HTTPRequest, as credentials: StorageCredentials
    ) async throws(StorageError) -> HTTPResponse {
        var request = request
        request.headers["apikey"] = credentials.apiKey
        request.headers["authorization"] = "Bearer \(credentials.bearer)"
        let response: HTTPResponse
        do throws(TransferError) {
            response = try await transport.send(request)
        } catch {
            throw .noAnswer(error)
        }
        guard !response.isSuccess else { return response }
        let refusal = StorageRefusal(
            response, sentKey: credentials.kind, keyOrigin: credentials.origin, cleanser: Cleanser(answering: request))
        // The service answers nearly every error with 400 (contract, 2.2), so only the body tells which error it is.
        if response.isTruncated, response.status == 400, refusal.code == nil {
            throw .unreadable(status: response.status, "the refusal was cut short")
        }
        throw .refused(refusal)
    }

    /// Sends a request and decodes the JSON of the answer.
    func send<Answer: Decodable>(
        _ request: HTTPRequest, as type: Answer.Type
    ) async throws(StorageError) -> Answer {
        try ServiceCall<StorageRefusal>.read(try await send(request), as: type)
    }

    /// Sends a request that the service answers with a message alone.
    ///
    /// Another answer, such as the sign-in page of a hotel's network, means that nothing was done, whatever its status.
    func perform(_ request: HTTPRequest) async throws(StorageError) {
        struct Done: Decodable {
            let message: String
        }
        _ = try await send(request, as: Done.self)
    }

    /// JSON with sorted keys, so that equal values are equal bytes.
    static func encode(_ value: some Encodable) throws(StorageError) -> Data {
        try ServiceCall<StorageRefusal>.encode(value)
    }

    /// `/<route>/<bucket>/<key>`, encoded.
    static func path(_ route: String, _ bucket: String, _ key: String, _ encoding: PercentEncoding = .path)
        -> String
    {
        "/\(route)/\(encoding.encoded(bucket))/\(encoding.encoded(key))"
    }

    /// `/<route>/<bucket>`, encoded.
    static func path(_ route: String, _ bucket: String) -> String {
        "/\(route)/\(PercentEncoding.path.encoded(bucket))"
    }
}
