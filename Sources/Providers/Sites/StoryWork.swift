import Supabase

/// One step at StoryToVideo: text, a shot, sound or the video; wrapped by REST, bare on the socket.
package struct StoryWork: Decodable, Hashable, Sendable {
    /// The work's id, as in `tasks/<id>`.
    package let id: String
    /// Such as `generate_video`.
    let type: String
    /// Where the work stands; the file is named only once it has succeeded.
    package let status: JobStatus

    private enum CodingKeys: String, CodingKey {
        case wrapped = "task"
        case id, type, status, progress, message, result, error, createdAt, updatedAt, finishedAt
    }

    private enum ResultKeys: String, CodingKey {
        case type = "resource_type"
        case url = "resource_url"
    }

    /// Reads both forms; throws only where the id is missing.
    package init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: CodingKeys.self)
        let keys =
            outer.contains(.wrapped) ? try outer.nestedContainer(keyedBy: CodingKeys.self, forKey: .wrapped) : outer
        id = try keys.decode(String.self, forKey: .id)
        type = keys.text(.type) ?? ""
        status = Self.status(keys, type: type)
    }

    private static func status(_ keys: KeyedDecodingContainer<CodingKeys>, type: String) -> JobStatus {
        var status = JobStatus(JobState(word: keys.text(.status) ?? ""))
        status.progress = JobStatus.share(percent: keys.decimal(.progress))
        status.createdAt = keys.moment(.createdAt)
        if status.state.isEnd { status.endedAt = keys.moment(.finishedAt) ?? keys.moment(.updatedAt) }
        if status.state == .failed {
            let words = keys.text(.error) ?? keys.text(.message)
            status.error = ProviderError(body: words.map { .object(["error": .string($0)]) })
        }
        // Before the end the server may already name a file that a worker has not copied yet.
        if status.state == .succeeded, let file = file(keys, type: type) { status.files = [file] }
        return status.dated(lifetime: ProviderName.storyToVideo.lifetime)
    }

    /// The file; the server names the kind of pictures only, so the extension and the step decide.
    private static func file(_ keys: KeyedDecodingContainer<CodingKeys>, type: String) -> RemoteMedia? {
        guard let result = try? keys.nestedContainer(keyedBy: ResultKeys.self, forKey: .result),
            let url = result.text(.url), let address = WebAddress(url)
        else { return nil }
        let kinds: [String: RemoteMedia.Kind] = [
            "generate_video": .video, "generate_shot": .image, "generate_audio": .audio,
        ]
        let said = result.text(.type).flatMap { RemoteMedia.Kind(rawValue: $0) }
        return RemoteMedia(url, .init(fileExtension: address.fileExtension) ?? kinds[type] ?? said ?? .unknown)
    }
}
