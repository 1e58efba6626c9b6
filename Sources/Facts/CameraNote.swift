package import MediaModel

/// What a camera states where FFmpeg's demuxers do not look: within a picture, or in boxes of its own.
package struct CameraNote: Hashable {
    /// When it was recorded, by the camera's clock.
    package var time: CivilTime?
    /// The camera's maker.
    package var maker: String?
    /// The camera's name by its maker.
    package var model: String?

    /// The time in seven bytes, from century to second, whose hexadecimal digits are decimal; `nil` if they are not.
    static func time(_ digits: [UInt8]) -> CivilTime? {
        let words = digits.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        guard words.count == 7 else { return nil }
        return CivilTime(exif: "\(words[0])\(words[1]):\(words[2]):\(words[3]) \(words[4]):\(words[5]):\(words[6])")
    }
}
