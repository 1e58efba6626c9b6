import Formats

/// An absolute URL, parsed strictly: text that two parsers might read differently is refused.
///
/// Refused are white space, control characters, backslashes, user names, anything but ASCII, and hosts that
/// are neither a plain name nor an IP address.
package struct WebAddress: Hashable, Sendable {
    /// In lower case, without the colon.
    package let scheme: String
    /// Lower case; an IPv6 address without its brackets.
    let host: String
    /// The port that the text names; `nil` means the scheme's usual one.
    let port: Int?
    /// The path from its first slash on; may be empty.
    package let path: String
    /// Without the question mark.
    let query: String?

    /// Parses `text`; `nil` for what is not an absolute address of at most 8 KiB.
    package init?(_ text: String) {
        guard text.utf8.count <= 8_192, text.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "\\") }),
            let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://")
        else { return nil }
        scheme = text[..<colon].lowercased()
        let rest = text[text.index(colon, offsetBy: 3)...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let (host, port) = Self.place(authority) else { return nil }
        self.host = host
        self.port = port
        let tail = rest[authority.endIndex...]
        path = String(tail.prefix { $0 != "?" })
        query = tail.firstIndex(of: "?").map { String(tail[tail.index(after: $0)...]) }
    }

    /// Parses `host`, `host:port` or `[v6]:port`.
    private static func place(_ authority: Substring) -> (String, Int?)? {
        let isBracketed = authority.hasPrefix("[")
        let end = isBracketed ? authority.firstIndex(of: "]") : authority.lastIndex(of: ":")
        var host = end.map { authority[..<$0] } ?? authority
        var rest = end.map { authority[$0...] } ?? ""
        if isBracketed {
            host = host.dropFirst()
            rest = rest.dropFirst()
            guard end != nil, host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
        } else {
            guard host.utf8.allSatisfy({ isHostByte($0) }) else { return nil }
        }
        if host.hasSuffix(".") { host = host.dropLast() }
        guard !host.isEmpty, !host.hasPrefix(".") else { return nil }
        guard !rest.isEmpty else { return (host.lowercased(), nil) }
        let digits = rest.dropFirst()
        guard rest.hasPrefix(":"), digits.allSatisfy(\.isNumber), let port = UInt16(digits), port > 0 else {
            return nil
        }
        return (host.lowercased(), Int(port))
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension WebAddress {
    /// The text with its white space and non-ASCII characters escaped as `%XX`, as browsers send what they display.
    ///
    /// A host is never escaped, so an address whose host had such letters is refused when it is parsed.
    package static func escaped(_ text: String) -> String { escaped(Array(text.utf8)) }

    /// The same for bytes, which need not be UTF-8.
    package static func escaped(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            (0x21...0x7e).contains(byte)
                ? String(UnicodeScalar(byte)) : PercentEncoding.component.encoded(CollectionOfOne(byte))
        }.joined()
    }

    /// Whether `text` is an address whose host has letters that are not ASCII, escaped or not.
    static func hasForeignHost(_ text: String) -> Bool {
        guard let start = text.ranges(of: "://").first?.upperBound else { return false }
        let host = text[start...].prefix { !"/?#".contains($0) }
        let isEscaped = PercentEncoding.decoded(host).map { $0.contains { $0 >= 0x80 } } ?? false
        return !host.contains("@") && isEscaped
    }

    /// The server that receives what is sent there, such as `https://queue.fal.run:443`.
    var origin: String {
        let usual = scheme == "https" ? 443 : scheme == "http" ? 80 : 0
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(name):\(port ?? usual)"
    }

    /// Whether it is an `http` or `https` address.
    var isOfWeb: Bool { ["http", "https"].contains(scheme) }

    /// The address without its signature and its parameters for delivery, which change while the file stays the same.
    ///
    /// Any other parameter of a query may name the file, as in `/view?file=2`.
    package var identity: String {
        let pairs = (query ?? "").split(separator: "&").map { pair in
            (pair: pair, name: Self.decoded(pair.prefix { $0 != "=" }).lowercased())
        }
        let isShared = pairs.contains { $0.name == "sig" }
        let naming = pairs.filter { !Self.isSigning($0.name) && !(isShared && Self.sharing.contains($0.name)) }
        return origin + path + (naming.isEmpty ? "" : "?" + naming.map(\.pair).joined(separator: "&"))
    }

    /// Whether a parameter of that name, in lower case, belongs to a signature or asks for headers of the answer.
    ///
    /// Those of Amazon S3 and CloudFront, Google, Alibaba, Tencent, Volcengine and Akamai, and common ones.
    private static func isSigning(_ name: String) -> Bool {
        signing.contains(name) || ["x-", "q-", "response-"].contains { name.hasPrefix($0) }
    }

    private static let signing: Set<String> = [
        "access_token", "auth", "auth_key", "awsaccesskeyid", "bcdn_token", "exp", "expiration",
        "expire", "expire_at", "expires", "expires_at", "expiry", "googleaccessid", "hdnea",
        "hdnts", "hmac", "jwt", "_jwt", "key-pair-id", "nonce", "ossaccesskeyid", "policy",
        "security-token", "sig", "sign", "signature", "__token__", "token", "token_path",
    ]

    /// The parameters of Azure's shared access signatures; other servers may use each of these names for a file.
    private static let sharing: Set<String> = [
        "se", "si", "sip", "ske", "skoid", "sks", "skt", "sktid", "skv", "sp", "spr", "sr", "st", "sv",
    ]

    /// What follows the last dot of the path's last segment; empty where there is none.
    package var fileExtension: String {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
    }

    /// The query's parameters in their order, decoded.
    var parameters: [(name: String, value: String)] {
        (query ?? "").split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(sides[0]), sides.count > 1 ? Self.decoded(sides[1]) : "")
        }
    }

    /// `text` with every `%XX` as its byte.
    private static func decoded(_ text: Substring) -> String {
        String(decoding: PercentEncoding.decodedLeniently(Array(text.utf8)), as: UTF8.self)
    }
}
