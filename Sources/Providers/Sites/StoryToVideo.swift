import Supabase
package import Transfer

/// StoryToVideo's server, where a job is `tasks/<id>` or a whole `projects/<id>` (contract 1.3).
///
/// It has no sign-in, list or cancel. Its links are signed for GET only, last 72 h and are never renewed.
package struct StoryToVideo: Provider {
    /// Always `storytovideo`.
    package let name = ProviderName.storyToVideo
    /// The server's address; there are no credentials.
    package let account: ProviderAccount

    /// `base` such as `http://192.168.1.20:8080`, without `/v1/api`.
    package init(base: String, transport: any Transport) {
        account = ProviderAccount(base: base, transport: transport)
    }

    /// Asks for the work, or for the project with all files it has so far.
    package func status(of job: JobReference) async throws(ProviderError) -> JobStatus {
        let path = "/v1/api/" + ProviderAccount.escaped(job.id)
        guard job.id.hasPrefix("projects/") else {
            return try await account.ask(.get, path, as: StoryWork.self).status
        }
        return try await account.ask(.get, path, as: StoryProject.self).status
    }
}

extension StoryToVideo {
    /// The input of a new project.
    package struct Story: Hashable, Sendable {
        /// The project's title, shown in the server's list.
        package let title: String
        /// The text from which the video is made.
        package let text: String
        /// The visual style, in the server's words.
        package let style: String
        /// 0 leaves the number to the server.
        package let shots: Int

        /// A story whose number of shots the server chooses unless `shots` is positive.
        package init(title: String, text: String, style: String, shots: Int = 0) {
            self.title = title
            self.text = text
            self.style = style
            self.shots = shots
        }
    }

    /// Creates a project and returns the course of its works; not idempotent.
    package func create(_ story: Story) async throws(ProviderError) -> StoryCourse {
        let query = [
            "Title=\(ProviderAccount.escaped(story.title))", "StoryText=\(ProviderAccount.escaped(story.text))",
            "Style=\(ProviderAccount.escaped(story.style))", "ShotCount=\(story.shots)",
        ]
        let path = "/v1/api/projects?" + query.joined(separator: "&")
        return try await account.ask(.post, path, as: StoryReceipt.self).course
    }

    /// Requests the video of a project whose shots are done; returns the id of its work.
    package func startVideo(of project: String, fps: Int? = nil) async throws(ProviderError) -> String {
        let path = "/v1/api/projects/\(ProviderAccount.escaped(project))/video"
        let input: JSONValue = fps.map { ["fps": .integer(Int64($0))] } ?? [:]
        return try await account.ask(.post, path, json: input, as: StoryReceipt.Video.self).id
    }

    /// The id of the work that makes a project's video, where that work was begun last.
    package func videoWork(of project: String) async throws(ProviderError) -> String? {
        let recent = try await recentWork(of: "projects/" + project)
        return recent?.type == "generate_video" ? recent?.id : nil
    }

    /// The work of a project that was begun last.
    func recentWork(of project: String) async throws(ProviderError) -> StoryWork? {
        try await account.ask(.get, "/v1/api/" + ProviderAccount.escaped(project), as: StoryReceipt.Recent.self).work
    }

    /// The current state of one work, by a request.
    package func work(_ id: String) async throws(ProviderError) -> StoryWork {
        try await account.ask(.get, "/v1/api/tasks/" + ProviderAccount.escaped(id), as: StoryWork.self)
    }

    /// Reads one frame of the socket `ws://…/tasks/<id>/wss`; an error frame is thrown.
    package func work(frame: [UInt8]) throws(ProviderError) -> StoryWork {
        let response = HTTPResponse(status: 200, body: frame)
        let body = try account.read(response, as: JSONValue.self)
        guard body["id"] == nil, body["error"] != nil else { return try account.read(response, as: StoryWork.self) }
        var error = ProviderError(body: body)
        if error.message.hasPrefix("task not found") { error.kind = .missing }
        throw error
    }
}

extension StoryToVideo {
    /// Begins a project: the model is its style, and `prompt` its text; `title` and `shots` may be left out.
    package func submit(_ intent: SubmitIntent) async throws(ProviderError) -> SubmitReceipt {
        guard let text = intent.input["prompt"]?.text else {
            throw ProviderError(.refused, "A project is made from a text, and there is none: give it as the prompt.")
        }
        let title = intent.input["title"]?.text ?? String(text.prefix { !$0.isNewline }.prefix(60))
        let story = Story(title: title, text: text, style: intent.model, shots: intent.input["shots"]?.whole ?? 0)
        let course = try await create(story)
        return SubmitReceipt(JobReference(.storyToVideo, "projects/" + course.project, model: intent.model))
    }

    /// Requests a project's video once every shot has its picture, unless the video was begun last.
    package func proceed(with job: JobReference) async throws(ProviderError) {
        guard job.id.hasPrefix("projects/") else { return }
        let path = "/v1/api/" + ProviderAccount.escaped(job.id)
        let project = try await account.ask(.get, path, as: JSONValue.self)
        let shots = project["shots"]?.elements ?? []
        let count = project["project_detail"]?["shotCount"]?.whole ?? 0
        let isDrawn = !shots.isEmpty && shots.count >= count && shots.allSatisfy { $0["imagePath"]?.text != nil }
        guard isDrawn, project["recent_task"]?["type"]?.text != "generate_video" else { return }
        _ = try await startVideo(of: String(job.id.dropFirst("projects/".count)))
    }
}

/// The server's answer when a project was created.
struct StoryReceipt: Decodable {
    let course: StoryCourse

    private enum CodingKeys: String, CodingKey {
        case project = "project_id"
        case text = "text_task_id"
        case shots = "shot_task_ids"
    }

    init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        course = StoryCourse(
            project: try keys.decode(String.self, forKey: .project),
            text: try keys.decode(String.self, forKey: .text), shots: keys.list(of: String.self, .shots))
    }

    /// A project's work that was begun last.
    struct Recent: Decodable {
        let work: StoryWork?

        private enum CodingKeys: String, CodingKey {
            case work = "recent_task"
        }
    }

    struct Video: Decodable {
        let id: String

        private enum CodingKeys: String, CodingKey {
            case id = "task_id"
        }
    }
}
