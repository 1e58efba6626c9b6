/// A JPEG with a comment by which it is recognised as written by this program.
package enum MarkedJPEG {
    /// The comment: marker, length, text.
    package static let mark: [UInt8] = [0xFF, 0xFE, 0x00, 0x0E] + Array("gallery-sync".utf8)

    /// `jpeg` with the comment before its first segment other than JFIF's, which has to come first.
    package static func bytes(of jpeg: [UInt8]) -> [UInt8] {
        guard jpeg.starts(with: [0xFF, 0xD8]) else { return jpeg }
        let hasJFIF = jpeg.count > 6 && jpeg[2] == 0xFF && jpeg[3] == 0xE0
        let start = hasJFIF ? min(jpeg.count, 4 + Int(jpeg[4]) << 8 + Int(jpeg[5])) : 2
        return jpeg.prefix(start) + mark + jpeg.dropFirst(start)
    }
}
