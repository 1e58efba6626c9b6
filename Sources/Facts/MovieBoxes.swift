import MediaModel

/// What a movie of MP4's family states beside its pictures, read box by box without them (ISO/IEC 14496-12).
package struct MovieBoxes {
    /// The boxes of the movie's user data, of which there may be several (8.10.1).
    private var userData: [[UInt8]] = []
    /// The file's own metadata with its version (8.11.1).
    private(set) var metadata: [UInt8] = []
    /// The file's XMP in a box of its own (XMP part 3, MPEG-4).
    private(set) var packet: [UInt8]?

    /// The most boxes that are looked at in one place: files in fragments have a box for each second.
    private static let boxLimit = 100
    /// The most bytes of boxes with one name that are read; those of cameras have up to some hundred thousand.
    private static let contentLimit = 1 << 20

    /// The boxes of a file of `size` bytes.
    ///
    /// - Parameter read: As many bytes at an offset as there are, up to a count; none if they cannot be read.
    package init(size: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]) {
        var hasMovie = false
        Self.walk(0..<size, read) { header, content in
            if header.isNamed("moov"), !hasMovie {
                hasMovie = true
                Self.walk(content, read) { header, content in
                    let room = Self.contentLimit - userData.reduce(0) { $0 + $1.count }
                    if header.isNamed("udta"), content.count <= room { userData.append(Self.bytes(content, read)) }
                }
            }
            if header.isNamed("meta"), metadata.isEmpty { metadata = Self.bytes(content, read) }
            if header.isNamed("uuid"), packet == nil, read(content.lowerBound, 16) == PictureParts.xmpBox {
                packet = Self.bytes(content.dropFirst(16), read)
            }
        }
    }

    /// Calls `body` with the boxes in a part of the file, up to the first that does not fit into it.
    private static func walk(
        _ part: Range<Int>, _ read: (Int, Int) -> [UInt8], _ body: (BoxHeader, _ content: Range<Int>) -> Void
    ) {
        var rest = part
        for _ in 0..<boxLimit where !rest.isEmpty {
            let head = read(rest.lowerBound, min(BoxHeader.longest, rest.count))
            guard let header = BoxHeader(head), let length = header.length(within: rest.count) else { return }
            body(header, rest.prefix(length).dropFirst(header.headLength))
            rest = rest.dropFirst(length)
        }
    }

    private static func bytes(_ content: Range<Int>, _ read: (Int, Int) -> [UInt8]) -> [UInt8] {
        content.count <= contentLimit ? read(content.lowerBound, content.count) : []
    }

    /// The content of the first box with this name in the movie's user data; `nil` without one.
    func userData(named name: String) -> [UInt8]? {
        userData.lazy.compactMap { boxes in
            boxes.withUnsafeBufferPointer { bytes in
                Boxes(bytes).first { $0.isNamed(name) }.map { Array(bytes[$0.content]) }
            }
        }.first
    }
}
