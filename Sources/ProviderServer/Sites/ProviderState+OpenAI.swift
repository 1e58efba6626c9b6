import FoundationEssentials
import Providers
import Serving
import Supabase

/// The `/videos` calls (contract section 3.1).
extension ProviderState {
    mutating func openAI(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Bearer ") else {
            return Self.openAIError(401, "invalid_api_key", "Incorrect API key provided.")
        }
        if call.match("POST", "/videos") != nil {
            return .json(openAIVideo(submit(call, to: .openAI, model: call.input("model") ?? "sora-2")))
        }
        if call.match("GET", "/videos") != nil { return openAIList(call) }
        if let id = call.match("GET", "/videos/:")?[0], let job = ask(id, at: .openAI, now: call.now) {
            return .json(openAIVideo(job))
        }
        if let id = call.match("GET", "/videos/:/content")?[0], let job = job(id, at: .openAI), job.isDone,
            let path = path(of: job, variant: call.request.queryItem("variant") ?? "video"),
            let content = content(path, for: call)
        {
            return content
        }
        if let id = call.match("DELETE", "/videos/:")?[0], job(id, at: .openAI) != nil {
            remove(id, at: .openAI)
            return .json(["id": .string(id), "object": "video.deleted", "deleted": true])
        }
        return Self.openAIError(404, "not_found", "Video not found.")
    }

    private func path(of job: MadeJob, variant: String) -> String? {
        let kind = variant == "video" ? "video" : "image"
        return zip(job.filePaths, job.media).first { $0.1.contentType.hasPrefix(kind) }?.0
    }

    private func openAIVideo(_ job: MadeJob) -> JSONValue {
        let error: JSONValue = job.reason.map { ["code": "server_error", "message": .string($0)] } ?? .null
        let progress: JSONValue = job.stage == .ended ? 100 : job.stage == .running ? 50 : 0
        return [
            "id": .string(job.id), "object": "video", "model": .string(job.model), "progress": progress,
            "status": .string(job.word("queued", "in_progress", "completed", "failed", "failed")),
            "created_at": .seconds(job.createdAt), "completed_at": .seconds(job.endedAt),
            "expires_at": .seconds(goneAt(job)), "seconds": "8", "size": "1280x720",
            "remixed_from_video_id": nil, "error": error,
        ]
    }

    private mutating func openAIList(_ call: SiteRequest) -> Response {
        let limit = call.count("limit") ?? 20
        var rows = askAll(at: .openAI, now: call.now)[...]
        if let after = call.request.queryItem("after") { rows = rows.drop { $0.id != after }.dropFirst() }
        let page = rows.prefix(limit)
        return .json([
            "object": "list", "data": .array(page.map(openAIVideo)), "has_more": .bool(page.count < rows.count),
        ])
    }

    private static func openAIError(_ status: Int, _ code: String, _ message: String) -> Response {
        .json(["error": ["code": .string(code), "message": .string(message)]], status: status)
    }
}
