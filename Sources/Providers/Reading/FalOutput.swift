package import FoundationEssentials
import Supabase

/// What fal's video models answer: Veo 3.1 only a link, Sora 2 the video's figures too (contract 2.6).
package struct FalOutput: Decodable, Hashable, Sendable {
    /// The file itself.
    package struct Video: Decodable, Hashable, Sendable {
        package let url: String
        package let contentType: String?
        package let fileName: String?
        /// Bytes.
        package let fileSize: Int?
        package let width: Int?
        package let height: Int?
        package let fps: Double?
        /// Seconds.
        package let duration: Double?

        private enum CodingKeys: String, CodingKey {
            case url, width, height, fps, duration
            case contentType = "content_type"
            case fileName = "file_name"
            case fileSize = "file_size"
        }

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

    package let video: Video
    /// Sora 2 only.
    package let videoID: String?

    private enum CodingKeys: String, CodingKey {
        case video
        case videoID = "video_id"
    }

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        video = try keys.decode(Video.self, forKey: .video)
        videoID = keys.text(.videoID)
    }

    /// The unified result; whether there is sound, only the file itself can tell.
    package func result(createdAt: Date? = nil) -> VideoResult {
        VideoResult(
            provider: .fal, videoURL: video.url, duration: video.duration, fps: video.fps, width: video.width,
            height: video.height, createdAt: createdAt)
    }
}
