import Serving

/// One request on its way through the protocol: what it asks and the parts of its path.
struct RoutedRequest: Sendable {
    let request: Request
    /// The target without the prefix of a gateway, as answers repeat it.
    let target: String
    /// The parts of the path that the route left open, still encoded.
    let rawParts: [Substring]
    /// The same, decoded once.
    let parts: [String]
    /// Bytes that sizes in the answer are to be wrong by; 0 but in tests.
    let misreport: Int64

    /// Bytes a JSON body may have.
    private static let bodyLimit = 1 << 20

    init(request: Request, target: String, rawParts: [Substring], parts: [String], misreport: Int64 = 0) {
        self.request = request
        self.target = target
        self.rawParts = rawParts
        self.parts = parts
        self.misreport = misreport
    }

    var bucket: String { parts[0] }
    var key: String { parts.count > 1 ? parts[1] : "" }

    /// The prefix of a gateway that the client wrote before the target.
    var prefix: Substring { request.target.dropLast(target.utf8.count) }

    /// The path without the query, still encoded.
    var path: Substring { target.prefix { $0 != "?" } }

    func header(_ name: String) -> String? { request.headers[name] }

    var hasHeaderAuthorization: Bool { header("authorization") != nil }

    /// Whether the request announces a body.
    var hasBody: Bool { request.body.length != 0 }

    /// The content type without parameters, in lower case.
    private var bareType: String? {
        header("content-type").map { type in
            let bare = type.prefix { $0 != ";" }
            return bare.filter { $0 != " " }.lowercased()
        }
    }

    /// The JSON of the body; `nil` where there is no body.
    ///
    /// - Parameter toleratesEmpty: Whether a content type of JSON without a body is no error.
    func json(toleratesEmpty: Bool = false) async throws -> JSON? {
        let isJSON = bareType == "application/json"
        guard hasBody else {
            if !isJSON || toleratesEmpty { return nil }
            throw ProtocolRefusal.unreadable("Body cannot be empty when content-type is set to 'application/json'")
        }
        guard isJSON || bareType == "text/plain" else {
            throw ProtocolRefusal.unreadable("Unsupported Media Type", status: 415)
        }
        let bytes: [UInt8]
        do throws(BodyFailure) {
            bytes = try await request.body.collect(limit: Self.bodyLimit)
        } catch {
            throw error == .lost ? ProtocolRefusal.bodyClosed : ProtocolRefusal.bodyTooLarge
        }
        guard isJSON else { return .text(String(decoding: bytes, as: UTF8.self)) }
        guard let json = JSON(parsing: bytes) else {
            if bytes.isEmpty, toleratesEmpty { return nil }
            throw ProtocolRefusal.unreadable("Body is not valid JSON but content-type is set to 'application/json'")
        }
        return json
    }
}

extension ProtocolRefusal {
    fileprivate static let bodyTooLarge = ProtocolRefusal(
        "EntityTooLarge", 413, error: "FastifyError", "Request body is too large", status: 413)
}
