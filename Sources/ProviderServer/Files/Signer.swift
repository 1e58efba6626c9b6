import FoundationEssentials
import Platform
import Serving

/// Creates links that expire, and verifies them.
struct Signer: Sendable {
    let secret: [UInt8]

    /// What the verification of a link found.
    enum Verdict: Hashable, Sendable {
        case valid, forged, expired
    }

    /// The query of a link that S3 would sign for GET at `date`, valid for `lifetime` seconds.
    func presigned(_ path: String, at date: Date, lifetime: Int) -> String {
        let stamp = date.formatted(Date.ISO8601FormatStyle()).filter { $0 != "-" && $0 != ":" }
        let query = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=\(stamp)&X-Amz-Expires=\(lifetime)"
        return query + "&X-Amz-Signature=\(signature(of: path + "?" + query))"
    }

    /// A query with a JSON web token that expires at `expiry`.
    func token(_ path: String, expiry: Date) -> String {
        let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
        let claims = #"{"exp":\#(Int(expiry.timeIntervalSince1970)),"path":"\#(path)"}"#
        let signed = header + "." + Base64URL.encode(Array(claims.utf8))
        return "_jwt=\(signed).\(Base64URL.encode(HMAC.sha256(Array(signed.utf8), key: secret)))"
    }

    /// Whether a web token was signed with the secret, whatever its claims.
    func signed(_ token: Substring) -> Bool {
        guard let dot = token.lastIndex(of: "."), let code = Base64URL.decode(token[token.index(after: dot)...]) else {
            return false
        }
        return HMAC.isValid(code, for: Array(token[..<dot].utf8), key: secret)
    }

    /// Whether `query` opens `path` at `now`; an additional parameter makes a signature invalid.
    func verdict(_ path: String, query: String, now: Date) -> Verdict {
        if query.hasPrefix("_jwt=") { return verdict(path, token: query.dropFirst(5), now: now) }
        guard let mark = query.firstRange(of: "&X-Amz-Signature=") else { return .forged }
        let signed = path + "?" + query[..<mark.lowerBound]
        guard signature(of: signed) == query[mark.upperBound...] else { return .forged }
        let parts = query.split(separator: "&").map { $0.drop { $0 != "=" }.dropFirst() }
        guard parts.count == 4, let start = Self.date(parts[1]), let lifetime = Double(parts[2]) else { return .forged }
        return now < start + lifetime ? .valid : .expired
    }

    private func verdict(_ path: String, token: Substring, now: Date) -> Verdict {
        guard signed(token), let middle = token.split(separator: ".").dropFirst().first,
            let bytes = Base64URL.decode(middle)
        else { return .forged }
        let claims = String(decoding: bytes, as: UTF8.self)
        guard claims.contains("\"path\":\"\(path)\""), let digits = claims.firstRange(of: "\"exp\":"),
            let end = Double(claims[digits.upperBound...].prefix { $0.isNumber })
        else { return .forged }
        return now.timeIntervalSince1970 < end ? .valid : .expired
    }

    private func signature(of text: String) -> String {
        HMAC.sha256(Array(text.utf8), key: secret).hexadecimal
    }

    /// The date in text such as `20261120T100000Z`.
    private static func date(_ text: Substring) -> Date? {
        let digits = Array(text)
        guard digits.count == 16 else { return nil }
        let part = { (range: Range<Int>) in String(digits[range]) }
        let day = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
        return try? Date.ISO8601FormatStyle().parse("\(day)T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")
    }
}
