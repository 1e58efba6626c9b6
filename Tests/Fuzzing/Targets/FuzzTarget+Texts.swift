import Cleansing
import Formats
import FoundationEssentials
import Platform
import Serving
import Text
import Transfer

extension FuzzTarget {
    static let texts = [
        FuzzTarget("date", texts: ["2026-11-20T10:00:00.123Z", "2026-02-29T24:00:00+14:00", "1601-01-01T00:00:00Z"]) {
            guard let time = ISO8601.time($0) else { return nil }
            let text = ISO8601.text(time, digits: 9)
            return unless(ISO8601.time(text) == time, "\($0) is written as \(text)")
        },
        FuzzTarget("http-date", texts: ["Fri, 20 Nov 2026 18:36:45 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"]) {
            guard let seconds = HTTPDate.seconds($0) else { return nil }
            let text = HTTPDate.text(seconds: seconds)
            return unless(HTTPDate.seconds(text) == seconds, "\($0) is written as \(text)")
        },
        FuzzTarget("quantity", texts: ["10MB", "1.5 GiB", "24h", "7d", "90s", "1e9k", "999999999999TB"]) {
            if let bytes = Quantity.bytes($0) { _ = Quantity.text(bytes: bytes) + Quantity.exact(bytes: bytes) }
            if let duration = Quantity.duration($0) { _ = Quantity.text(duration) + Quantity.exact(duration) }
            return nil
        },
        FuzzTarget("range", texts: ["100\nbytes=0-9", "7\nbytes=-5", "0\nbytes=5-", "10\nbytes 2-5/6"], read: range),
        FuzzTarget("headers", texts: ["HTTP/1.1 200 OK\r\nRetry-After: 5\r\nX: y\r\n\r\n"]) {
            let headers = HTTPHeaders(block: $0.utf8)
            return unless(
                headers.fields.allSatisfy { !$0.value.utf8.contains(0x0A) && !$0.name.utf8.contains(0x0A) },
                "a field of two lines")
        },
        FuzzTarget(
            "cleanser", texts: ["token=abc https://x.y/?sig=1\u{202E}", "Bearer eyJhbGciOi.J9.x"], read: cleansed),
    ]

    private static func range(_ text: String) -> String? {
        let (first, rest) = text.cutAtLine
        let size = Int64(first).map { max(0, $0) } ?? 1_000
        if let range = RangeHeader.range(String(rest), of: size) {
            guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= size else {
                return "\(rest) of \(size) is \(range)"
            }
        }
        guard let range = ContentRange(String(rest)), let start = range.start, let end = range.end else { return nil }
        return unless(end >= start, "\(rest) ends before it begins")
    }

    private static func cleansed(_ text: String) -> String? {
        let secret = "s3cr3t-Th1ng-0f-25-letters"
        let cleanser = Cleanser(hiding: [secret])
        let clean = cleanser.text(text + secret + text)
        if clean.contains(secret) { return "a secret in \(clean)" }
        let isTame = clean.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control || $0 == "\n" }
        guard isTame else { return "a control character in \(clean.debugDescription)" }
        // A text that was cut is exempt, because what is left may have another form.
        return unless(
            clean.count == 2_000 || cleanser.text(clean) == clean,
            "cleansed twice is another text: \(clean.debugDescription)")
    }
}
