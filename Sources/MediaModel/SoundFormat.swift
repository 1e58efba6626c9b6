/// The format of a sound file; scans ignore such files, but providers produce them.
package struct SoundFormat: Hashable, Sendable {
    /// Such as `audio/mpeg`.
    package let contentType: String
    /// The usual extension, with its dot.
    package let fileExtension: String

    /// Recognizes a file by its first bytes; `nil` for anything but MP3, WAV, FLAC and Ogg.
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
