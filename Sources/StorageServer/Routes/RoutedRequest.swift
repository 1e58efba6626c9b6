import ObjectStore
import Serving

/// One request with the variable parts of its path, on its way through the routes.
struct RoutedRequest: Sendable {
    let request: Request
    /// The target without a gateway's prefix, as answers repeat it.
    let target: String
    /// The variable parts of the path, still encoded.
    let rawParts: [Substring]
    /// The same, decoded once.
    let parts: [String]
    /// By how many bytes sizes in the answer are to be wrong; 0 except in tests.
    let misreport: Int64

    /// The most bytes of a JSON body.
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

    /// A size as the answer names it; never below zero, nor beyond what a number holds.
    func reported(_ size: Int64) -> Int64 {
        let (sum, isBeyond) = size.addingReportingOverflow(misreport)
        return isBeyond ? .max : max(0, sum)
    }

    /// The gateway's prefix that the client wrote before the target.
    var prefix: Substring { request.target.dropLast(target.utf8.count) }

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

    /// The JSON of the body; `nil` without a body.
    ///
    /// - Parameter toleratesEmpty: Whether a missing body is accepted although the content type is JSON.
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
