import FoundationEssentials

/// Moments as HTTP headers write them (RFC 9110 section 5.6.7), such as `Fri, 20 Nov 2026 18:36:45 GMT`.
enum HTTPDate {
    /// `nil` where the text is none; the two obsolete forms are not read.
    static func parse(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, let month = months.firstIndex(of: words[2]) else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return try? Date.ISO8601FormatStyle().parse("\(words[3])-\(number)-\(words[1])T\(words[4])Z")
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
