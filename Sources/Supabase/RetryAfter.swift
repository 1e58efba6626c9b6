import Formats
import FoundationEssentials
package import Transfer

/// How long a server asks clients to wait before the next request (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// The delay from now on; a date is compared with the answer's own `Date`, never with a local clock.
    package static func delay(in headers: HTTPHeaders) -> Duration? {
        guard let text = headers["retry-after"] else { return nil }
        if let seconds = Int(digits: text) { return .seconds(seconds) }
        guard let due = Date(httpDate: text), let sent = headers["date"].flatMap(Date.init(httpDate:)) else {
            return nil
        }
        return .seconds(max(due.timeIntervalSince(sent), 0))
    }
}
