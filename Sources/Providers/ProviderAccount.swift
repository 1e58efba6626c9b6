import Cleansing
import Formats
import FoundationEssentials
import Supabase
package import Transfer

/// An account at a provider: its base URL and the headers that authenticate a request.
///
/// The secret headers are sent to the base's own origin only, and are never printed.
package struct ProviderAccount: Sendable {
    /// The API's base URL, without a trailing slash.
    let base: String
    /// Sends the requests.
    let transport: any Transport
    /// The limits of one request; 120 s in total unless set otherwise.
    var timeouts = Timeouts(total: .seconds(120))
    /// The most bytes of an answer.
    var answerLimit = 16 << 20
    /// A second address of the same service, used if the first cannot be connected to.
    var backup: String?
    private let secretHeaders: HTTPHeaders
    private let signingKey: SigningKey?

    /// An account at `base`, whose trailing slash, if any, is removed.
    ///
    /// - Parameter signingKey: Signs a token for each request, where the provider asks for one.
    init(
        base: String, secretHeaders: HTTPHeaders = HTTPHeaders(), signingKey: SigningKey? = nil,
        transport: any Transport
    ) {
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
        self.secretHeaders = secretHeaders
        self.signingKey = signingKey
        self.transport = transport
    }

    /// The headers a request for `link` may carry: none outside the account's origin.
    package func headers(for link: String) -> HTTPHeaders {
        owns(link) ? credentials : HTTPHeaders()
    }

    /// Whether `link` leads to the account's own origin.
    package func owns(_ link: String) -> Bool {
        guard let there = WebAddress(link)?.origin else { return false }
        return there == WebAddress(base)?.origin || there == backup.flatMap { WebAddress($0)?.origin }
    }

    /// Whether both accounts have the same key; compares without revealing the keys.
    package func hasKey(of other: ProviderAccount) -> Bool {
        secretHeaders == other.secretHeaders && signingKey == other.signingKey
    }

    /// Removes the values of the secret headers, without their scheme, from text that an answer echoes.
    var cleanser: Cleanser {
        let headers = secretHeaders.fields.map { String($0.value.split(separator: " ").last ?? "") }
        return Cleanser(hiding: headers + (signingKey.map { [$0.secret] } ?? []))
    }

    private var credentials: HTTPHeaders {
        guard let signingKey else { return secretHeaders }
        var headers = secretHeaders
        headers["authorization"] = "Bearer " + signingKey.token(at: Date())
        return headers
    }
}

extension ProviderAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The base URL without its query; the secret headers are left out.
    package var description: String { "ProviderAccount(\(Cleanser.link(base)))" }
    /// The same as `description`, so that a debugger shows no secret either.
    package var debugDescription: String { description }
    /// No children, since `dump` and test failures would print the secret headers.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension ProviderAccount {
    /// Sends one request to `link`, or to a path below the base, and returns the answer, whatever its status.
    ///
    /// Throws `refused` without a request if a link leads to another origin, and `noAnswer` if no answer came.
    func exchange(
        _ method: HTTPMethod, _ link: String, json: JSONValue? = nil, headers: HTTPHeaders = HTTPHeaders()
    ) async throws(ProviderError) -> HTTPResponse {
        let link = link.hasPrefix("/") ? base + link : link
        guard owns(link) else {
            throw ProviderError(.refused, "\(Cleanser.link(link)) is not at \(Cleanser.link(base)); not asked.")
        }
        var request = HTTPRequest(method, link, headers: credentials, answer: .memory(limit: answerLimit))
        for field in headers.fields { request.headers[field.name] = field.value }
        request.timeouts = timeouts
        request.isOnce = method == .post
        if let json {
            request.headers["content-type"] = "application/json"
            request.body = .bytes(try Self.bytes(of: json))
        }
        do throws(TransferError) {
            return try await transport.send(request)
        } catch {
            guard error.kind == .unreachable, let other = otherAddress(of: link) else { throw ProviderError(error) }
            request.url = other
            return try await answer(to: request, insteadOf: error)
        }
    }

    /// The answer from the other address; throws the `first` address's failure where that gives none either.
    private func answer(
        to request: HTTPRequest, insteadOf first: TransferError
    ) async throws(ProviderError) -> HTTPResponse {
        do throws(TransferError) {
            return try await transport.send(request)
        } catch {
            throw ProviderError(error.kind == .cancelled ? error : first)
        }
    }

    /// The same link at the service's other address; `nil` where there is none.
    private func otherAddress(of link: String) -> String? {
        guard let backup else { return nil }
        for (here, there) in [(base, backup), (backup, base)] where link.hasPrefix(here + "/") {
            return there + link.dropFirst(here.count)
        }
        return nil
    }

    /// The same as `exchange`, but throws for every status other than a success.
    func ask(
        _ method: HTTPMethod, _ link: String, json: JSONValue? = nil, headers: HTTPHeaders = HTTPHeaders()
    ) async throws(ProviderError) -> HTTPResponse {
        let response = try await exchange(method, link, json: json, headers: headers)
        guard response.isSuccess else { throw ProviderError(response, cleanser: cleanser) }
        return response
    }

    /// The same as above, and decodes the answer's JSON.
    func ask<Answer: Decodable>(
        _ method: HTTPMethod, _ link: String, json: JSONValue? = nil, headers: HTTPHeaders = HTTPHeaders(),
        as type: Answer.Type
    ) async throws(ProviderError) -> Answer {
        try read(try await ask(method, link, json: json, headers: headers), as: type)
    }

    /// Decodes an answer's JSON; throws `invalidResponse` where it does not fit.
    func read<Answer: Decodable>(_ response: HTTPResponse, as type: Answer.Type) throws(ProviderError) -> Answer {
        do {
            return try JSONDecoder().decode(type, from: Data(response.body))
        } catch {
            throw ProviderError(unreadable: response, "the answer is not the JSON expected here.", cleanser: cleanser)
        }
    }

    /// `text` as part of a path or a query.
    static func escaped(_ text: String) -> String {
        PercentEncoding.path.encoded(text)
    }

    private static func bytes(of json: JSONValue) throws(ProviderError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(json))
        } catch {
            throw ProviderError(.refused, "The input cannot be written as JSON: \(error)")
        }
    }
}
