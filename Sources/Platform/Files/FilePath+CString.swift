extension FilePath {
    /// Calls `body` with the bytes followed by a NUL.
    func withCString<Value, Failure>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try bytes.withCString(body)
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes followed by a NUL.
    func withCString<Value, Failure>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: count + 1)
        defer { text.deallocate() }
        for (index, byte) in enumerated() { text[index] = CChar(truncatingIfNeeded: byte) }
        text[count] = 0
        return try body(UnsafePointer(text.baseAddress.unsafelyUnwrapped))
    }
}
