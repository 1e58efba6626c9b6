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
    /// The work of a project that was begun last.
    func recentWork(of project: String) async throws(ProviderError) -> StoryWork? {
        try await account.ask(.get, "/v1/api/" + ProviderAccount.escaped(project), as: StoryReceipt.Recent.self).work
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
        let query = [
            "Title=\(ProviderAccount.escaped(title))", "StoryText=\(ProviderAccount.escaped(text))",
            "Style=\(ProviderAccount.escaped(intent.model))", "ShotCount=\(intent.input["shots"]?.whole ?? 0)",
        ]
        let path = "/v1/api/projects?" + query.joined(separator: "&")
        let project = try await account.ask(.post, path, as: StoryReceipt.self).project
        return SubmitReceipt(JobReference(.storyToVideo, "projects/" + project, model: intent.model))
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
        _ = try await account.ask(.post, path + "/video", json: [:], as: StoryReceipt.Video.self)
    }
}

/// The server's answer when a project was created.
struct StoryReceipt: Decodable {
    let project: String

    private enum CodingKeys: String, CodingKey {
        case project = "project_id"
    }

    /// A project's work that was begun last.
    struct Recent: Decodable {
        let work: StoryWork?

        private enum CodingKeys: String, CodingKey {
            case work = "recent_task"
        }
    }

    /// The work that makes the video; an answer that names none is no receipt.
    struct Video: Decodable {
        let id: String

        private enum CodingKeys: String, CodingKey {
            case id = "task_id"
        }
    }
}
