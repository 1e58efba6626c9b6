extension [UInt8] {
    /// The text in UTF-8 if a byte order mark says that it is UTF-16; else the bytes as they are.
    package var inUTF8: [UInt8] {
        let isLittle = starts(with: [0xFF, 0xFE])
        guard isLittle || starts(with: [0xFE, 0xFF]) else { return self }
        let (high, low) = isLittle ? (1, 0) : (0, 1)
        let units = stride(from: 2, to: count - 1, by: 2).map { place -> UInt16 in
            UInt16(self[place + high]) << 8 | UInt16(self[place + low])
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
