import MediaModel

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
        while let header = BoxHeader(file[offset...]) {
            let room = file.count - offset
            let end = offset + min(room, header.length ?? room)
            let isPart = header.isNamed("jxlp")
            // The content begins with the part's number.
            let start = offset + header.headLength + (isPart ? 4 : 0)
            if isPart || header.isNamed("jxlc"), start < end { parts.append(start..<end) }
            offset = end
        }
        return parts
    }
}
