import Supabase

/// A project with all that it has made so far: the video, each shot's picture and sound.
struct StoryProject: Decodable {
    let status: JobStatus

    private enum CodingKeys: String, CodingKey {
        case detail = "project_detail"
        case shots
    }

    private enum DetailKeys: String, CodingKey {
        case status, videoUrl, coverImage, createdAt, updatedAt, description
    }

    init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        let detail = try keys.nestedContainer(keyedBy: DetailKeys.self, forKey: .detail)
        let video = detail.text(.videoUrl).flatMap { Self.file($0, .video) }
        let shots = keys.list(of: Shot.self, .shots).sorted { $0.order < $1.order }
        var status = JobStatus(Self.state(detail.text(.status) ?? "", hasVideo: video != nil))
        status.createdAt = detail.moment(.createdAt)
        if status.state.isEnd { status.endedAt = detail.moment(.updatedAt) }
        if status.state == .failed { status.error = ProviderError(.refused, "The project failed at the server.") }
        let cover = detail.text(.coverImage).flatMap { Self.file($0, .image) }
        let files = [video].compactMap(\.self) + shots.flatMap(\.files) + [cover].compactMap(\.self)
        var seen: Set<String> = []
        status.files = files.filter { seen.insert($0.identity).inserted }
        self.status = status.dated(lifetime: ProviderName.storyToVideo.lifetime)
    }

    /// Only a project with a video is done; the words in between are intermediate steps.
    private static func state(_ word: String, hasVideo: Bool) -> JobState {
        switch word {
        case "failed": .failed
        case "created": hasVideo ? .succeeded : .queued
        case "text_generated", "shots_generated", "images_generated", "audio_generated", "video_generated", "ready":
            hasVideo ? .succeeded : .running
        default: .unknown(word)
        }
    }

    /// The file at `url`; `nil` for server paths and keys, which cannot be downloaded.
    private static func file(_ url: String, _ kind: RemoteMedia.Kind) -> RemoteMedia? {
        guard let address = WebAddress(url), address.isOfWeb else { return nil }
        return RemoteMedia(url, .init(fileExtension: address.fileExtension) ?? kind)
    }

    private struct Shot: Decodable {
        let order: Int
        let files: [RemoteMedia]

        private enum CodingKeys: String, CodingKey { case order, imagePath, audioPath }

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: CodingKeys.self)
            order = keys.whole(.order) ?? .max
            let image = keys.text(.imagePath).flatMap { StoryProject.file($0, .image) }
            let sound = keys.text(.audioPath).flatMap { StoryProject.file($0, .audio) }
            files = [image, sound].compactMap(\.self)
        }
    }
}
