import FoundationEssentials
import Transfer

/// How long a server asks to be left alone (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// The delay from now on; a date counts from the answer's own `Date`, so no clock here matters.
    static func delay(in headers: HTTPHeaders) -> Duration? {
        guard let text = headers["retry-after"] else { return nil }
        if let seconds = Int(text) { return seconds >= 0 ? .seconds(seconds) : nil }
        guard let due = date(text), let sent = headers["date"].flatMap(date) else { return nil }
        return .seconds(max(due.timeIntervalSince(sent), 0))
    }

    /// Reads `Fri, 20 Nov 2026 18:36:45 GMT`.
    private static func date(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, let month = months.firstIndex(of: words[2]) else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return try? Date.ISO8601FormatStyle().parse("\(words[3])-\(number)-\(words[1])T\(words[4])Z")
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
