/// A file that a made-up provider holds for a job.
package struct MadeMedia: Hashable, Sendable {
    /// What the path of its link ends with, such as `video.mp4`.
    package var name: String
    package var contentType: String
    package var bytes: [UInt8]

    package init(_ name: String, _ contentType: String, _ bytes: [UInt8]) {
        self.name = name
        self.contentType = contentType
        self.bytes = bytes
    }

    /// No real video, for tests that never look into it.
    package static let video = MadeMedia("video.mp4", "video/mp4", Array("....ftypisom made-up video".utf8))
    package static let picture = MadeMedia("image.png", "image/png", Array("\u{89}PNG made-up picture".utf8))
    package static let sound = MadeMedia("audio.mp3", "audio/mpeg", Array("ID3 made-up sound".utf8))
}
