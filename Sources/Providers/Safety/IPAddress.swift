/// An IP address, read from text or returned by a resolver.
package enum IPAddress: Hashable, Sendable {
    case v4(UInt32)
    /// Eight groups.
    case v6([UInt16])

    /// Reads an address in every form that a connection would accept.
    ///
    /// Such forms are also `127.1`, `0x7f000001` and `017700000001`, all of them 127.0.0.1.
    package init?(_ text: String) {
        if text.contains(":") {
            guard let groups = Self.groups(text) else { return nil }
            self = .v6(groups)
        } else {
            guard let number = Self.number(text) else { return nil }
            self = .v4(number)
        }
    }

    /// Whether it is on the public internet: not this computer, its network, or reserved.
    package var isPublic: Bool {
        switch self {
        case .v4(let number): !Self.reserved.contains { number >> (32 - $0.bits) == $0.prefix >> (32 - $0.bits) }
        case .v6(let groups): Self.isPublic(groups)
        }
    }

    /// Only 2000::/3 without its documentation and tunnel ranges; an embedded IPv4 address is judged as such.
    private static func isPublic(_ groups: [UInt16]) -> Bool {
        let last = UInt32(groups[6]) << 16 | UInt32(groups[7])
        if groups[0..<5].allSatisfy({ $0 == 0 }), groups[5] == 0xffff { return IPAddress.v4(last).isPublic }
        if groups[0..<6].elementsEqual([0x64, 0xff9b, 0, 0, 0, 0]) { return IPAddress.v4(last).isPublic }
        guard groups[0] & 0xe000 == 0x2000 else { return false }
        let isTunnel = groups[0] == 0x2002 || groups[0] == 0x2001 && groups[1] < 0x200
        let isForExamples = groups[0] == 0x2001 && groups[1] == 0xdb8 || groups[0] == 0x3fff && groups[1] < 0x1000
        return !isTunnel && !isForExamples
    }

    /// The special-purpose ranges of IPv4 (RFC 6890), multicast included.
    private static let reserved: [(prefix: UInt32, bits: UInt32)] = [
        (0x0000_0000, 8), (0x0a00_0000, 8), (0x6440_0000, 10), (0x7f00_0000, 8), (0xa9fe_0000, 16),
        (0xac10_0000, 12), (0xc000_0000, 24), (0xc000_0200, 24), (0xc058_6300, 24), (0xc0a8_0000, 16),
        (0xc612_0000, 15), (0xc633_6400, 24), (0xcb00_7100, 24), (0xe000_0000, 3),
    ]
}

extension IPAddress {
    /// One to four numbers in decimal, octal or hexadecimal; the last one fills the rest, as `inet_aton` has it.
    private static func number(_ text: String) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard 1...4 ~= parts.count else { return nil }
        var sum: UInt64 = 0
        for (place, part) in parts.enumerated() {
            guard let value = value(part) else { return nil }
            let isLast = place == parts.count - 1
            let bits = isLast ? 8 * (5 - parts.count) : 8
            guard value < 1 << UInt64(bits) else { return nil }
            sum = sum << UInt64(bits) | value
        }
        return UInt32(sum)
    }

    private static func value(_ part: Substring) -> UInt64? {
        guard part.allSatisfy({ $0.isASCII && ($0.isHexDigit || $0 == "x" || $0 == "X") }) else { return nil }
        if part.hasPrefix("0x") || part.hasPrefix("0X") {
            return part.count == 2 ? 0 : UInt64(part.dropFirst(2), radix: 16)
        }
        return part.count > 1 && part.hasPrefix("0") ? UInt64(part, radix: 8) : UInt64(part)
    }

    /// Eight groups of an IPv6 address (RFC 4291, 2.2); `nil` for anything else, zones included.
    private static func groups(_ text: String) -> [UInt16]? {
        let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard halves.count <= 2, let head = list(halves[0]) else { return nil }
        guard halves.count == 2 else { return head.count == 8 ? head : nil }
        guard let tail = list(halves[1]), head.count + tail.count <= 7 else { return nil }
        return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func list(_ text: Substring) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (place, part) in parts.enumerated() {
            if place == parts.count - 1, part.contains("."), let number = number(String(part)) {
                groups += [UInt16(number >> 16), UInt16(truncatingIfNeeded: number)]
            } else if 1...4 ~= part.count, part.allSatisfy(\.isHexDigit), let group = UInt16(part, radix: 16) {
                groups.append(group)
            } else {
                return nil
            }
        }
        return groups
    }
}
