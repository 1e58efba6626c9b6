import Platform

/// The digests of an object's parts, in order.
struct PartedDigest {
    /// The most bytes of a part.
    private let limit: Int64
    /// The sizes in bytes of the parts that have ended.
    private(set) var sizes: [Int64] = []
    private var digests: [UInt8] = []
    private var current = MD5()
    private var count: Int64 = 0

    init(limit: Int64) {
        self.limit = limit
    }

    /// Adds the next bytes; a full part ends only once more bytes follow.
    mutating func update(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if count == limit { endPart() }
            let piece = rest.prefix(Int(min(limit - count, Int64(rest.count))))
            current.update(piece)
            count += Int64(piece.count)
            rest = rest.dropFirst(piece.count)
        }
    }

    /// Ends the current part together with the request, unless the part is too short.
    mutating func endRequest() {
        if count >= ETagRule.smallestPart { endPart() }
    }

    mutating func endPart() {
        digests += current.finish()
        sizes.append(count)
        current = MD5()
        count = 0
    }

    /// The eTag of an object in parts, without its quotes; no bytes may be added afterwards.
    mutating func eTag() -> String {
        if count > 0 || sizes.isEmpty { endPart() }
        return "\(MD5.hash(digests).hexadecimal)-\(sizes.count)"
    }
}
