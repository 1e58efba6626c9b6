/// A sound file, which galleries leave aside and providers make.
package struct SoundFormat: Hashable, Sendable {
    package let contentType: String
    /// With its dot.
    package let fileExtension: String

    /// Recognizes a file by its first bytes.
    package init?(header: [UInt8]) {
        func has(_ text: String, at place: Int = 0) -> Bool { header.dropFirst(place).starts(with: text.utf8) }
        if has("ID3") || header.count > 1 && header[0] == 0xff && header[1] & 0xe6 == 0xe2 {
            (contentType, fileExtension) = ("audio/mpeg", ".mp3")
        } else if has("RIFF"), has("WAVE", at: 8) {
            (contentType, fileExtension) = ("audio/wav", ".wav")
        } else if has("fLaC") {
            (contentType, fileExtension) = ("audio/flac", ".flac")
        } else if has("OggS") {
            (contentType, fileExtension) = ("audio/ogg", ".ogg")
        } else {
            return nil
        }
    }
}
