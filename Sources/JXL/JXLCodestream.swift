/// The pixels' part of a JPEG XL file, without the boxes around it (ISO/IEC 18181-2, 9).
///
/// libjxl reads boxes too, but no header within one can be made longer.
struct JXLCodestream {
    /// One piece of the file, as it almost always is.
    private let slice: UnsafeBufferPointer<UInt8>
    /// The pieces joined, where there are several.
    private let joined: [UInt8]

    /// - Parameter file: Must outlive this value; where it has no such box, it is taken as it is.
    init(_ file: UnsafeBufferPointer<UInt8>) {
        let parts = Self.parts(of: file)
        slice = parts.count == 1 ? UnsafeBufferPointer(rebasing: file[parts[0]]) : file
        joined = parts.count > 1 ? parts.reduce(into: []) { $0 += file[$1] } : []
    }

    /// Calls `body` with all of its bytes.
    func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard !joined.isEmpty else { return try body(slice) }
        return try joined.span.withUnsafeBufferPointer(body)
    }

    /// Where the boxes `jxlc` and `jxlp` have their content; one that is longer than the file ends with it.
    private static func parts(of file: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        guard file.count > 2, file[0] == 0 else { return parts }
        var offset = 0
        while offset + 8 <= file.count {
            var (length, head) = (number(file, offset, 4), 8)
            if length == 1, offset + 16 <= file.count {
                // Beyond this no file is long enough, and sums would not fit.
                (length, head) = (min(number(file, offset + 8, 8), Int.max / 2), 16)
            }
            let end = length == 0 ? file.count : min(file.count, offset + length)
            guard length == 0 || length >= head else { break }
            let name = file[offset + 4..<offset + 8]
            let isPart = name.elementsEqual("jxlp".utf8)
            // Its number comes first.
            if isPart { head += 4 }
            if isPart || name.elementsEqual("jxlc".utf8), offset + head < end { parts.append(offset + head..<end) }
            offset = end
        }
        return parts
    }

    /// A number of `count` bytes, the highest first; what no number holds is the greatest.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ count: Int) -> Int {
        let value = bytes[offset..<offset + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value) ?? .max
    }
}
