extension SettingFormat where Value == String {
    /// A web address without user, query or fragment; its scheme is read as lower case.
    static var webAddress: Self { webAddress { _ in true } }

    /// The address of a storage, and not that of a page about it.
    static var storageAddress: Self {
        webAddress { authority in
            let host = authority.prefix { $0 != ":" }.lowercased()
            return !["supabase.com", "www.supabase.com", "app.supabase.com"].contains(host)
        }
    }

    private static func webAddress(where isServer: @escaping @Sendable (Substring) -> Bool) -> Self {
        Self(
            "an address like \"https://abc.supabase.co\", without user, query or fragment",
            read: { value in
                guard case .text(let text) = value, let end = text.firstRange(of: "://")?.lowerBound else { return nil }
                let (scheme, rest) = (text[..<end].lowercased(), text[end...].dropFirst(3))
                let isPlain = rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#@\"<>\\".utf8.contains($0) }
                let authority = rest.prefix { $0 != "/" }
                guard ["https", "http"].contains(scheme), isPlain, isAuthority(authority), isServer(authority) else {
                    return nil
                }
                return "\(scheme)://\(rest)"
            },
            write: SettingValue.text)
    }

    /// Whether `text` is a host, or an IPv6 address in brackets, followed by at most a port.
    private static func isAuthority(_ text: Substring) -> Bool {
        let bracket = text.hasPrefix("[") ? text.firstIndex(of: "]") : text.startIndex
        guard let bracket, let colon = text[bracket...].firstIndex(of: ":") else {
            return bracket != nil && !text.isEmpty && !text.hasPrefix("[") || text.hasSuffix("]")
        }
        let (host, port) = (text[..<colon], text[text.index(after: colon)...])
        let isHost = !host.isEmpty && host.hasPrefix("[") == host.hasSuffix("]")
        return isHost && port.utf8.allSatisfy { (0x30...0x39).contains($0) } && (UInt16(port) ?? 0) > 0
    }

    /// A bucket's name that needs no escaping anywhere.
    static var bucketName: Self {
        .text("a name of 1 to 100 letters, digits, \".\", \"-\" or \"_\"", where: isPlainName)
    }

    /// A name that an object's metadata carries as it is.
    static var computerName: Self {
        .text("a name of 1 to 100 letters, digits, \".\", \"-\" or \"_\"") { isPlainName($0) && $0 != "null" }
    }

    /// Segments before every key, without slashes at the ends; empty for none.
    static var keyPrefix: Self {
        .text("segments like \"backup/laptop\" of letters, digits, \".\", \"-\" or \"_\"") { prefix in
            let segments = prefix.split(separator: "/", omittingEmptySubsequences: false)
            return prefix.isEmpty || segments.allSatisfy { isPlainName(String($0)) }
        }
    }

    /// A table's name that needs no escaping anywhere; PostgreSQL keeps 63 bytes.
    static var tableName: Self {
        .text("a table's name of 1 to 63 letters, digits or \"_\"") { isTableName($0) && $0 != "null" }
    }

    /// Whether `name` is a table's name that needs no escaping: 1 to 63 letters, digits or `_`.
    package static func isTableName(_ name: String) -> Bool {
        (1...63).contains(name.utf8.count) && name.utf8.allSatisfy(isWordByte)
    }

    @Sendable private static func isWordByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || isAlphanumeric(byte)
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    @Sendable private static func isPlainName(_ name: String) -> Bool {
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"
        return (1...100).contains(name.utf8.count) && !name.hasPrefix(".") && name.allSatisfy(plain.contains)
    }
}
