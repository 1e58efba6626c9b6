package import MediaModel
package import Platform

/// A picture with a comment by which it is recognised as written by this program.
package enum MarkedPicture {
    /// The file for a picture of this format, which replaces only pictures that this program wrote.
    package static func file(_ path: FilePath, _ format: ThumbnailFormat, kind: String) -> OutputFile {
        OutputFile(path: path, mark: mark(format), kind: kind, isLast: format != .jpeg)
    }

    private static func mark(_ format: ThumbnailFormat) -> [UInt8] {
        let text = Array("gallery-sync".utf8)
        return switch format {
        // A comment segment.
        case .jpeg: [0xFF, 0xFE, 0x00, 0x0E] + text
        // A chunk that readers do not know.
        case .webp: Array("gsyn".utf8) + [12, 0, 0, 0] + text
        // A box of free space.
        case .avif: [0, 0, 0, 20] + Array("free".utf8) + text
        case .png: text
        }
    }

    /// The picture with the comment: in a JPEG before its first segment, except JFIF's, which has to come first; in
    /// other formats at the end.
    package static func bytes(of picture: [UInt8], _ format: ThumbnailFormat) -> [UInt8] {
        let mark = mark(format)
        switch format {
        case .jpeg:
            guard picture.starts(with: [0xFF, 0xD8]) else { return picture }
            let hasJFIF = picture.count > 6 && picture[2] == 0xFF && picture[3] == 0xE0
            let start = hasJFIF ? min(picture.count, 4 + Int(picture[4]) << 8 + Int(picture[5])) : 2
            return picture.prefix(start) + mark + picture.dropFirst(start)
        case .webp:
            // The first chunk holds all others, and its length does not count its own eight bytes.
            guard picture.starts(with: Array("RIFF".utf8)), picture.count >= 12, picture.count % 2 == 0 else {
                return picture
            }
            let length = UInt32(picture.count + mark.count - 8)
            let field = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: length >> $0) }
            return picture[..<4] + field + picture[8...] + mark
        case .avif: return picture + mark
        case .png: return picture
        }
    }
}
