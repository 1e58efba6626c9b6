/// The moment at which a Windows Media file was made (Microsoft ASF 01.20.05, 3.2: File Properties Object).
package enum ASFDate {
    private static let object: [UInt8] = [
        0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
    ]

    /// Seconds since 1970, from the start of the file; `nil` where it is not stated.
    package static func seconds(in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            // The object's name is followed by its size, the file's own name, the file's size, and the date.
            guard let place = bytes.place(of: object), place + 56 <= bytes.count else { return nil }
            let low = bytes.number(at: place + 48, bigEndian: false)
            let ticks = bytes.number(at: place + 52, bigEndian: false) << 32 | low
            // Tenths of microseconds since 1601; earlier dates are wrong, as no camera wrote the format before 1996.
            let seconds = ticks / 10_000_000 - 11_644_473_600
            return (820_000_000..<4_000_000_000).contains(seconds) ? seconds : nil
        }
    }
}
