package import FoundationEssentials
import Supabase

/// What fal's video models answer: Veo 3.1 only a link, Sora 2 the video's figures too (contract 2.6).
package struct FalOutput: Decodable, Hashable, Sendable {
    /// The file itself.
    package struct Video: Decodable, Hashable, Sendable {
        /// The link to the video; the only member that must be there.
        package let url: String
        /// The media type as fal wrote it.
        package let contentType: String?
        /// The file's name at fal.
        package let fileName: String?
        /// Bytes.
        package let fileSize: Int?
        /// Pixels; Sora 2 only.
        package let width: Int?
        /// Pixels; Sora 2 only.
        package let height: Int?
        /// Frames per second; Sora 2 only.
        package let fps: Double?
        /// Seconds.
        package let duration: Double?

        private enum CodingKeys: String, CodingKey {
            case url, width, height, fps, duration
            case contentType = "content_type"
            case fileName = "file_name"
            case fileSize = "file_size"
        }

        /// Throws only where `url` is missing; any other misshapen member is `nil`.
        package init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: CodingKeys.self)
            url = try keys.decode(String.self, forKey: .url)
            contentType = keys.text(.contentType)
            fileName = keys.text(.fileName)
            fileSize = keys.whole(.fileSize)
            width = keys.whole(.width)
            height = keys.whole(.height)
            fps = keys.decimal(.fps)
            duration = keys.decimal(.duration)
        }
    }

    /// The finished video.
    package let video: Video
    /// The video's id at Sora 2; `nil` for other models.
    package let videoID: String?

    private enum CodingKeys: String, CodingKey {
        case video
        case videoID = "video_id"
    }

    /// Throws where there is no video with a link.
    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        video = try keys.decode(Video.self, forKey: .video)
        videoID = keys.text(.videoID)
    }

    /// The unified result; `hasAudio` stays `nil`, since only the file itself shows it.
    package func result(createdAt: Date? = nil) -> VideoResult {
        VideoResult(
            provider: .fal, videoURL: video.url, duration: video.duration, fps: video.fps, width: video.width,
            height: video.height, createdAt: createdAt)
    }
}
