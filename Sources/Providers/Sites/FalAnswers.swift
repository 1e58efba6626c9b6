import Supabase

/// fal's answer to a submission: the id and the three links to ask with.
struct FalReceipt: Decodable {
    let requestID: String
    let calls: JobReference.Calls

    enum CodingKeys: String, CodingKey {
        case requestID = "request_id"
        case status = "status_url"
        case result = "response_url"
        case cancel = "cancel_url"
    }

    init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        requestID = try keys.decode(String.self, forKey: .requestID)
        calls = keys.calls
    }
}

/// fal's status of a job; `COMPLETED` with an error is a failure.
struct FalStatus: Decodable {
    let status: String
    let hasError: Bool
    let calls: JobReference.Calls

    private enum CodingKeys: String, CodingKey {
        case status, error
        case errorType = "error_type"
    }

    init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        status = keys.text(.status) ?? ""
        hasError = [keys.value(.error), keys.value(.errorType)].contains { ($0 ?? .null) != .null && $0 != .string("") }
        calls = try decoder.container(keyedBy: FalReceipt.CodingKeys.self).calls
    }
}

/// A page of past requests.
struct FalHistory: Decodable {
    struct Entry: Decodable {
        let reference: JobReference?
        let isSuccess: Bool
        /// The model's input, where the request asked for it.
        let input: JSONValue?

        /// The job, where it succeeded.
        var job: JobReference? { isSuccess ? reference : nil }

        private enum CodingKeys: String, CodingKey {
            case requestID = "request_id"
            case model = "endpoint_id"
            case statusCode = "status_code"
            case input = "json_input"
        }

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: CodingKeys.self)
            isSuccess = 200..<300 ~= keys.whole(.statusCode) ?? 200
            reference = keys.text(.requestID).map { JobReference(.fal, $0, model: keys.text(.model)) }
            input = keys.value(.input)
        }
    }

    let items: [Entry]
    let nextCursor: String?
    let hasMore: Bool

    private enum CodingKeys: String, CodingKey {
        case items
        case nextCursor = "next_cursor"
        case hasMore = "has_more"
    }

    init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        items = keys.list(of: Entry.self, .items)
        nextCursor = keys.text(.nextCursor)
        hasMore = keys.value(.hasMore)?.flag ?? false
    }
}

extension KeyedDecodingContainer<FalReceipt.CodingKeys> {
    var calls: JobReference.Calls {
        JobReference.Calls(status: text(.status), result: text(.result), cancel: text(.cancel))
    }
}
