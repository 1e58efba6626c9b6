import Formats
package import FoundationEssentials
import Supabase

/// The moment after which a provider no longer serves a file.
package struct Deadline: Hashable, Codable, Sendable {
    /// The first moment at which the link no longer works.
    package let date: Date
    /// Whether it is computed from the provider's usual lifetime, not read from link or answer.
    package let isAssumed: Bool

    private enum CodingKeys: String, CodingKey {
        case date
        case isAssumed = "assumed"
    }

    /// A deadline that the caller has read or, with `isAssumed`, estimated.
    package init(_ date: Date, isAssumed: Bool = false) {
        self.date = date
        self.isAssumed = isAssumed
    }

    /// The earliest moment that the link or the answer names, else the job's end plus the usual lifetime.
    package init?(link: String, expiresAt: Date? = nil, endedAt: Date? = nil, lifetime: Duration? = nil) {
        let address = WebAddress(link)
        let named = [address.flatMap(Self.signature), address.flatMap(Self.token), expiresAt].compactMap(\.self).min()
        if let named {
            self.init(named)
        } else if let endedAt, let lifetime {
            self.init(endedAt + Double(lifetime.components.seconds), isAssumed: true)
        } else {
            return nil
        }
    }
}

extension Deadline: Comparable {
    /// Orders by date alone, so that the most urgent download comes first.
    package static func < (one: Deadline, other: Deadline) -> Bool { one.date < other.date }
}

extension Deadline {
    /// The earliest end that a signed link names, as the stores write it.
    private static func signature(in address: WebAddress) -> Date? {
        let values = Dictionary(address.parameters.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
        // A start and a number of seconds from then on: S3, Google, Volcengine and Alibaba.
        let spans = ["x-amz-", "x-goog-", "x-tos-", "x-oss-"].map { span($0, in: values) }
        // A moment: CloudFront, older signatures of S3, Google and Alibaba. Of Tencent's range the end counts.
        let range = values["q-sign-time"]?.split(separator: ";") ?? []
        let moments = [values["expires"], range.count == 2 ? String(range[1]) : nil].map { $0.flatMap(moment) }
        // Azure's parameter `se`; another server may use that name for something else, so it counts only beside `sig`.
        let shared = values["sig"] == nil ? nil : values["se"].flatMap { try? Date.ISO8601FormatStyle().parse($0) }
        return (spans + moments + [shared]).compactMap(\.self).min()
    }

    /// `X-Amz-Date` plus `X-Amz-Expires`, or their equivalents with another beginning.
    private static func span(_ family: String, in values: [String: String]) -> Date? {
        guard let start = values[family + "date"].flatMap(basicDate), let text = values[family + "expires"],
            let seconds = Int(digits: text), (0...10 * 366 * 86_400).contains(seconds)
        else { return nil }
        return start + Double(seconds)
    }

    /// Seconds since 1970; a number below the first, a moment in 2001, is a length of time or no time at all.
    private static let moments = 1e9..<1e11

    private static func moment(_ text: String) -> Date? {
        Int(digits: text).flatMap { moments.contains(Double($0)) ? Date(timeIntervalSince1970: Double($0)) : nil }
    }

    /// Reads `20261120T100000Z`.
    private static func basicDate(_ text: String) -> Date? {
        let bytes = Array(text)
        guard bytes.count == 16, bytes[8] == "T", bytes[15] == "Z" else { return nil }
        let day = "\(String(bytes[0..<4]))-\(String(bytes[4..<6]))-\(String(bytes[6..<8]))"
        let clock = "\(String(bytes[9..<11])):\(String(bytes[11..<13])):\(String(bytes[13..<15]))"
        return try? Date.ISO8601FormatStyle().parse("\(day)T\(clock)Z")
    }

    /// The `exp` claim of a JSON web token in the query, whatever the parameter's name (RFC 7519, 4.1.4).
    private static func token(in address: WebAddress) -> Date? {
        for (_, value) in address.parameters {
            let parts = value.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, let claims = claims(parts[1]), let expiry = claims["exp"]?.decimal,
                moments.contains(expiry)
            else { continue }
            return Date(timeIntervalSince1970: expiry)
        }
        return nil
    }

    /// The JSON in a token's middle part, which is base64url without padding.
    private static func claims(_ part: Substring) -> JSONValue? {
        guard let data = Data(base64URL: String(part)) else { return nil }
        return try? JSONDecoder().decode(JSONValue.self, from: data)
    }
}
