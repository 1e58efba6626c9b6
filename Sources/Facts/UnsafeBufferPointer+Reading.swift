import Glibc

extension UnsafeBufferPointer<UInt8> {
    /// The offset of the first occurrence of `word`.
    package func place(of word: [UInt8]) -> Int? {
        guard let start = baseAddress, let first = word.first else { return nil }
        var from = 0
        while from + word.count <= count, let found = memchr(start + from, Int32(first), count - from - word.count + 1)
        {
            let place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
            if memcmp(found, word, word.count) == 0 { return place }
            from = place + 1
        }
        return nil
    }

    /// An unsigned number of 4 bytes, which must lie within the buffer.
    package func number(at offset: Int, bigEndian: Bool) -> Int {
        let digits = self[offset..<offset + 4]
        return (bigEndian ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
}
