import Platform

/// What is known about a connection that failed, in words for people; pure logic.
struct ConnectionTrouble {
    let kind: TransferError.Kind
    /// Whether the connection failed because the host's name was not found.
    let isNameUnknown: Bool
    let url: String
    /// The errno of the connection; 0 if the system reported none.
    let systemCode: Int32
    /// curl's message, for failures that have no better words.
    let words: String

    /// One sentence without its full stop: what, where, why.
    var sentence: String {
        switch kind {
        case .unreachable where isNameUnknown: "Cannot reach \(origin): this name is not known to the network"
        case .unreachable where systemCode == 0: "Cannot reach \(origin): \(Self.isSilent(words) ? "no answer" : words)"
        case .unreachable: "Cannot reach \(origin): \(reason)"
        case .lost where systemCode != 0: "The connection to \(origin) broke: \(reason)"
        case .lost: "The connection to \(origin) broke: \(words)"
        case .timedOut: "\(origin) did not answer in time"
        case .secure: "No secure connection to \(origin): \(words)"
        case .untrusted: "The certificate of \(origin) is not trusted: \(words)"
        default: words
        }
    }

    /// Scheme, host and port of the URL.
    private var origin: String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/")
    }

    /// The system's reason as the end of a sentence, such as `connection refused`.
    private var reason: String {
        let reason = SystemError(call: "connect", code: systemCode).reason
        return reason.prefix(1).lowercased() + reason.dropFirst()
    }

    private static func isSilent(_ words: String) -> Bool { words.lowercased().contains("timed out") }
}
