/// The codestream of a JPEG XL file, without the boxes around it (ISO/IEC 18181-2, 9).
///
/// libjxl could read the boxes, too, but we rewrite headers of the codestream, which may make it longer than its box.
struct JXLCodestream {
    /// The codestream if it is one piece of the file, as almost always.
    private let slice: UnsafeBufferPointer<UInt8>
    /// The joined pieces if there are several.
    private let joined: [UInt8]

    /// - Parameter file: Must outlive this value; without boxes, all of it is the codestream.
    init(_ file: UnsafeBufferPointer<UInt8>) {
        let parts = Self.parts(of: file)
        slice = parts.count == 1 ? UnsafeBufferPointer(rebasing: file[parts[0]]) : file
        joined = parts.count > 1 ? parts.reduce(into: []) { $0 += file[$1] } : []
    }

    /// Calls `body` with the whole codestream.
    func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard !joined.isEmpty else { return try body(slice) }
        return try joined.span.withUnsafeBufferPointer(body)
    }

    /// The contents of the boxes `jxlc` and `jxlp`; a box that is longer than the file ends with it.
    private static func parts(of file: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        guard file.count > 2, file[0] == 0 else { return parts }
        var offset = 0
        while offset + 8 <= file.count {
            var (length, head) = (number(file, offset, 4), 8)
            if length == 1, offset + 16 <= file.count {
                // Limited, because sums with a larger length would overflow.
                (length, head) = (min(number(file, offset + 8, 8), Int.max / 2), 16)
            }
            let end = length == 0 ? file.count : min(file.count, offset + length)
            guard length == 0 || length >= head else { break }
            let name = file[offset + 4..<offset + 8]
            let isPart = name.elementsEqual("jxlp".utf8)
            // The content begins with the part's number.
            if isPart { head += 4 }
            if isPart || name.elementsEqual("jxlc".utf8), offset + head < end { parts.append(offset + head..<end) }
            offset = end
        }
        return parts
    }

    /// A number of `count` bytes, the highest first; the greatest `Int` if it is too large for one.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ count: Int) -> Int {
        let value = bytes[offset..<offset + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value) ?? .max
    }
}
