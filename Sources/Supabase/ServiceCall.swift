import Cleansing
import Formats
import FoundationEssentials
import Platform
import Transfer

/// Sends requests to a service that answers JSON, and throws its refusals as `Refusal`.
struct ServiceCall<Refusal: ServiceRefusal> {
    /// Without a slash at its end.
    let base: String
    let unixSocket: FilePath?
    let transport: any Transport
    var timeouts = Timeouts()

    init(base: String, unixSocket: FilePath?, transport: any Transport) {
        self.base = String(base.reversed().drop { $0 == "/" }.reversed())
        self.unixSocket = unixSocket
        self.transport = transport
    }
}

extension ServiceCall {
    /// A request to `path` below the base, without a body and not signed in.
    func request(_ method: HTTPMethod, _ path: String) -> HTTPRequest {
        var request = HTTPRequest(method, base + path, answer: .memory(limit: 16 << 20))
        request.unixSocket = unixSocket
        request.timeouts = timeouts
        return request
    }

    /// A request with a JSON body.
    func request(
        _ method: HTTPMethod, _ path: String, _ body: some Encodable
    ) throws(CallError<Refusal>) -> HTTPRequest {
        var request = request(method, path)
        request.headers["content-type"] = "application/json"
        request.body = .bytes(Array(try Self.encode(body)))
        return request
    }

    /// Sends the request and throws a refusal for every status that is not a success.
    ///
    /// - Parameter secrets: Secrets of the body that no answer may repeat.
    func send(
        _ request: HTTPRequest, hiding secrets: [String] = []
    ) async throws(CallError<Refusal>) -> HTTPResponse {
        let response: HTTPResponse
        do throws(TransferError) {
            response = try await transport.send(request)
        } catch {
            throw .noAnswer(error)
        }
        guard response.isSuccess else {
            throw .refused(Refusal(response, cleanser: Cleanser(answering: request, hiding: secrets)))
        }
        return response
    }

    /// JSON with sorted keys, so that equal values are equal bytes.
    static func encode(_ value: some Encodable) throws(CallError<Refusal>) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(value)
        } catch {
            throw .noAnswer(TransferError(.unsendable, "Not representable as JSON: \(error)", mayHaveArrived: false))
        }
    }

    /// The answer's JSON.
    static func read<Answer: Decodable>(
        _ response: HTTPResponse, as type: Answer.Type
    ) throws(CallError<Refusal>) -> Answer {
        do {
            return try JSONDecoder().decode(type, from: Data(response.body))
        } catch {
            throw .unreadable(
                status: response.status,
                "the answer is not the JSON expected here: \(Cleanser().text(DecodingError.clause(error), limit: 300))")
        }
    }
}
