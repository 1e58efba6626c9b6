/// A file that a made-up provider holds for a job.
package struct MadeMedia: Hashable, Sendable {
    /// The last part of its link's path, such as `video.mp4`.
    var name: String
    /// The `Content-Type` that the file is served with, which need not agree with its bytes.
    var contentType: String
    /// The whole content.
    package var bytes: [UInt8]

    /// A file whose name, type and bytes need not agree with each other.
    package init(_ name: String, _ contentType: String, _ bytes: [UInt8]) {
        self.name = name
        self.contentType = contentType
        self.bytes = bytes
    }

    /// Bytes that only look like MP4, for tests that never decode them.
    package static let video = MadeMedia("video.mp4", "video/mp4", Array("....ftypisom made-up video".utf8))
    /// Bytes that only look like PNG, for tests that never decode them.
    package static let picture = MadeMedia("image.png", "image/png", Array("\u{89}PNG made-up picture".utf8))
    /// Bytes that only look like MP3, for tests that never decode them.
    static let sound = MadeMedia("audio.mp3", "audio/mpeg", Array("ID3 made-up sound".utf8))
}
