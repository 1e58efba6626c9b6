import FoundationEssentials
import Transfer

/// One request to a service that answers JSON, and its refusals as `Refusal`.
struct ServiceCall<Refusal: ServiceRefusal> {
    let transport: any Transport

    /// Sends, and takes for a refusal whatever is not a success.
    func send(_ request: HTTPRequest) async throws(CallError<Refusal>) -> HTTPResponse {
        let response: HTTPResponse
        do throws(TransferError) {
            response = try await transport.send(request)
        } catch {
            throw .noAnswer(error)
        }
        guard response.isSuccess else { throw .refused(Refusal(response)) }
        return response
    }

    /// The answer's JSON.
    static func read<Answer: Decodable>(
        _ response: HTTPResponse, as type: Answer.Type
    ) throws(CallError<Refusal>) -> Answer {
        do {
            return try JSONDecoder().decode(type, from: Data(response.body))
        } catch {
            throw .unreadable(status: response.status, "not the JSON of \(type): \(error)")
        }
    }

    /// JSON with sorted keys, so that equal values are equal bytes.
    static func body(_ value: some Encodable) throws(CallError<Refusal>) -> HTTPBody {
        do throws(StorageError) {
            return .bytes(Array(try StorageClient.encode(value)))
        } catch {
            throw .noAnswer(TransferError(.unsendable, "\(error)", mayHaveArrived: false))
        }
    }
}
