import FoundationEssentials
import Providers
import Queue
import Supabase
import Text
import Transfer

/// What one answer to a download means.
enum DownloadStep: Hashable, Sendable {
    /// The part now holds this many bytes of the file, and more are to come.
    case advanced(Int64, total: Int64?, validator: String?)
    /// The part now holds the whole file, of this many bytes.
    case complete(Int64, validator: String?)
    /// The bytes in the part belong to another version of the file, for this reason.
    case changed(String)
    /// The link does not work any more.
    case dead(Item.Failure)
    /// The link may work later; not before `asked` has passed, if the server names a delay.
    case retry(Item.Failure, asked: Duration? = nil)
    /// The server did not answer, or this computer could not write: no attempt is consumed.
    case missed(Item.Failure)
    case refused(Item.Failure)
}

extension DownloadStep {
    /// Bytes that the part holds after this step; `nil` where none were added.
    var end: Int64? {
        switch self {
        case .advanced(let end, _, _), .complete(let end, _): end
        case .changed, .dead, .retry, .missed, .refused: nil
        }
    }
}

// MARK: - Answers

extension DownloadStep {
    /// Reads the answer to a request for at most `chunk` bytes of `file`.
    init(_ response: HTTPResponse, for file: JobFile, chunk: Int64) {
        let validator = response.validator
        switch response.status {
        case 206: self = Self.part(response, of: file, chunk)
        case 200: self = .complete(response.received, validator: validator)
        case 416: self = Self.beyond(response, of: file)
        case let status where Self.dead.contains(status):
            self = .dead(Self.failure(.http(response.status), "The link is dead: HTTP \(response.status)"))
        case 408, 425, 429, 500...:
            let failure = Self.failure(
                .http(response.status), "The server answered HTTP \(response.status)", isRetryable: true)
            self = .retry(failure, asked: RetryAfter.delay(in: response.headers))
        default:
            self = .refused(Self.failure(.http(response.status), "The server answered HTTP \(response.status)"))
        }
    }

    /// The statuses that stores and hosts answer for a link that has ended.
    private static let dead = [401, 403, 404, 410]

    /// Whether a failure with a link means something else than that the link has ended.
    static func isOdd(_ failure: Item.Failure) -> Bool {
        if case .http(let status) = failure.code { return !failure.retryable && !dead.contains(status) }
        return failure.code == .rescue(.unreachable)
    }

    /// A partial answer, which must continue exactly where the part ends.
    private static func part(_ response: HTTPResponse, of file: JobFile, _ chunk: Int64) -> DownloadStep {
        guard let range = ContentRange(response.headers["content-range"]), range.start == file.received else {
            return .changed("Other bytes came than were asked for")
        }
        if let known = file.total, let total = range.size, known != total {
            return .changed("The file's size changed from \(known) to \(total) bytes while it was fetched")
        }
        if let known = file.validator, file.received > 0, let now = response.validator, known != now {
            return .changed("The file changed while it was fetched")
        }
        let end = file.received + response.received
        let wanted = file.range(chunk).map { Int64($0.count) } ?? .max
        let isLast = range.size.map { end >= $0 } ?? (response.received < wanted)
        if isLast { return .complete(end, validator: response.validator) }
        guard response.received > 0 else {
            return .retry(failure(.rescue(.empty), "An answer came without bytes", isRetryable: true))
        }
        return .advanced(end, total: range.size, validator: response.validator)
    }

    /// The range begins after the last byte: either the part is whole, or the file has changed.
    private static func beyond(_ response: HTTPResponse, of file: JobFile) -> DownloadStep {
        switch ContentRange(response.headers["content-range"])?.size {
        case file.received where file.received > 0: .complete(file.received, validator: file.validator)
        case 0?: .complete(0, validator: nil)
        default: .changed("The file is shorter than it was said to be")
        }
    }

    static func failure(_ code: FailureCode, _ message: String, isRetryable: Bool = false) -> Item.Failure {
        Item.Failure(code: code, message: message, retryable: isRetryable)
    }
}

// MARK: - No answers

extension DownloadStep {
    /// A request without an answer, or with an answer larger than `limit` bytes.
    init(_ error: TransferError, limit: Int64) {
        switch error.kind {
        case .unreachable:
            self = .missed(Self.failure(.rescue(.unreachable), error.message, isRetryable: true))
        case .local(let error): self = .missed(Item.Failure(error))
        case .lost, .timedOut, .secure, .untrusted, .cancelled, .sourceShrank:
            self = .retry(Self.failure(.rescue(.lost), error.message, isRetryable: true))
        case .tooLarge:
            self = .refused(
                Self.failure(
                    .rescue(.tooLarge), "The file is larger than the \(Quantity.text(bytes: limit)) it may have"))
        case .forbiddenPeer(let address):
            let words = "The link leads to \(address), an address of this computer or its network"
            // A network that wants a sign-in makes every name lead to itself, so this may pass.
            self = .retry(Self.failure(.rescue(.refused), words + "; rescue.origins may allow it", isRetryable: true))
        case .unsendable: self = .refused(Self.failure(.rescue(.refused), error.message))
        }
    }

    /// A link that the rules forbid to follow.
    init(_ refusal: LinkRefusal) {
        self = .refused(Self.failure(.rescue(.refused), "\(refusal)"))
    }
}

extension HTTPResponse {
    /// Identifies this version of the file: its strong ETag, else its Last-Modified date.
    var validator: String? {
        if let tag = headers["etag"], tag.hasPrefix("\"") { return tag }
        return headers["last-modified"]
    }
}
