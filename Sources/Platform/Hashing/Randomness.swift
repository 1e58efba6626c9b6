import Glibc

/// Random bytes and names, from the kernel's generator or, in a simulation, from its seed.
package enum Randomness {
    /// `count` bytes from the kernel's generator, fit for keys and tokens.
    package static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { buffer in
            // One call gives up to 256 bytes without failing; Swift's own generator makes a call for each byte.
            for start in stride(from: 0, to: count, by: 256) {
                let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<min(start + 256, count)])
                getentropy(piece.baseAddress, piece.count)
            }
        }
        return bytes
    }

    /// A new random UUID (RFC 9562, version 4), in lower case.
    package static func uuid() -> String {
        var bytes = bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return uuid(of: bytes)
    }

    /// The first 16 of `bytes`, which must be at least that many, in the form of a UUID.
    package static func uuid(of bytes: some Sequence<UInt8>) -> String {
        let digits = Array(bytes.prefix(16)).hexadecimal.utf8
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits.dropFirst($0.lowerBound).prefix($0.count) }
        return groups.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    }
}
