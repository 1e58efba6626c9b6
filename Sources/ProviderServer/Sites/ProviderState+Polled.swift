import FoundationEssentials
import Providers
import Serving
import Supabase

/// The providers that are tables in `Providers/Sites`, with answers as their own SDKs' types describe them.
extension ProviderState {
    /// xAI: `status`, `video{url, duration}`; a job's id is called a request id.
    mutating func xAI(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Bearer ") else {
            return .json(["code": "unauthenticated", "error": "Incorrect API key provided."], status: 401)
        }
        if call.match("POST", "/videos/generations") != nil {
            return .json(["request_id": .string(submit(call, to: .xAI, model: call.input("model") ?? "grok").id)])
        }
        guard let id = call.match("GET", "/videos/:")?[0], let job = ask(id, at: .xAI, now: call.now) else {
            return .json(["code": "not-found", "error": "The request does not exist."], status: 404)
        }
        let body: JSONValue = [
            "status": .string(job.word("pending", "pending", "done", "failed", "failed")), "model": .string(job.model),
        ]
        if let reason = job.reason {
            return .json(body.with(["error": ["code": "internal", "message": .string(reason)]]))
        }
        guard job.isDone, let url = links(of: job, for: call).first?.url else { return .json(body) }
        return .json(body.with(["video": ["url": .string(url), "duration": 8, "respect_moderation": true]]))
    }

    /// ModelArk: `ContentGenerationTask`, `ListContentGenerationTasksResponse`.
    mutating func seedance(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Bearer ") else {
            return Self.coded(401, "AuthenticationError", "The API key is invalid.")
        }
        let path = "/contents/generations/tasks"
        if call.match("POST", path) != nil {
            return .json(["id": .string(submit(call, to: .seedance, model: call.input("model") ?? "seedance").id)])
        }
        if call.match("GET", path) != nil {
            let done = askAll(at: .seedance, now: call.now).filter(\.isDone)
            let rows = call.page(of: done, number: "page_num", size: "page_size")
            return .json(["total": .count(done.count), "items": .array(rows.map { arkWork($0, call) })])
        }
        if let id = call.match("GET", path + "/:")?[0], let job = ask(id, at: .seedance, now: call.now) {
            return .json(arkWork(job, call))
        }
        if let id = call.match("DELETE", path + "/:")?[0], job(id, at: .seedance) != nil {
            if !cancel(id, at: .seedance, now: call.now) { remove(id, at: .seedance) }
            return .json([:])
        }
        return Self.coded(404, "ResourceNotFound", "The task is not found.")
    }

    private func arkWork(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        let url = job.isDone ? links(of: job, for: call).first?.url : nil
        let error: JSONValue = job.reason.map { ["code": "InternalError", "message": .string($0)] } ?? nil
        return [
            "id": .string(job.id), "model": .string(job.model), "error": error,
            "status": .string(job.word("queued", "running", "succeeded", "failed", "cancelled")),
            "content": url.map { ["video_url": .string($0)] } ?? nil, "duration": 5, "framespersecond": 24,
            "created_at": .seconds(job.createdAt), "updated_at": .seconds(job.endedAt ?? job.createdAt),
        ]
    }

    /// Model Studio: `VideoSynthesisResponse`; an unknown task has the status `UNKNOWN`.
    mutating func wan(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Bearer ") else {
            return .json(["code": "InvalidApiKey", "message": "Invalid API-key provided."], status: 401)
        }
        if call.match("POST", "/services/aigc/video-generation/video-synthesis") != nil {
            let id = submit(call, to: .wan, model: call.input("model") ?? "wan").id
            return .json(["output": ["task_id": .string(id), "task_status": "PENDING"], "request_id": "r"])
        }
        if let id = call.match("POST", "/tasks/:/cancel")?[0] {
            let isCancelled = cancel(id, at: .wan, now: call.now)
            return .json(["request_id": "r"], status: isCancelled ? 200 : 400)
        }
        guard let id = call.match("GET", "/tasks/:")?[0] else { return Response(status: 404) }
        guard let job = ask(id, at: .wan, now: call.now) else {
            return .json(["output": ["task_id": .string(id), "task_status": "UNKNOWN"], "request_id": "r"])
        }
        let word = job.word("PENDING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELED")
        var output: JSONValue = ["task_id": .string(id), "task_status": .string(word)]
        if let reason = job.reason { output = output.with(["code": "InternalError", "message": .string(reason)]) }
        if job.isDone, let url = links(of: job, for: call).first?.url {
            output = output.with(["video_url": .string(url)])
        }
        return .json(["output": output, "request_id": "r"])
    }

    /// Vidu: `state`, `err_code`, `creations[{id, url, cover_url}]`.
    mutating func vidu(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Token ") else {
            return .json(["code": 401, "reason": "Unauthorized", "message": "invalid api key"], status: 401)
        }
        if call.match("POST", "/text2video") != nil {
            let id = submit(call, to: .vidu, model: call.input("model") ?? "vidu").id
            return .json(["task_id": .string(id), "state": "created"])
        }
        guard let id = call.match("GET", "/tasks/:/creations")?[0], let job = ask(id, at: .vidu, now: call.now) else {
            return .json(["code": 404, "reason": "NotFound", "message": "task not found"], status: 404)
        }
        let urls = job.isDone ? links(of: job, for: call).map(\.url) : []
        return .json([
            "id": .string(id), "err_code": .string(job.reason ?? ""),
            "state": .string(job.word("queueing", "processing", "success", "failed", "failed")),
            "creations": .array(urls.map { ["id": "c", "url": .string($0), "cover_url": .string($0 + ".cover.jpg")] }),
        ])
    }

    /// MiniMax: errors come with the status 200 and a code in `base_resp`; a task names a file by its id.
    mutating func miniMax(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Bearer ") else { return Self.miniMax([:], 1_004, "login fail") }
        if call.match("POST", "/video_generation") != nil {
            let id = submit(call, to: .miniMax, model: call.input("model") ?? "hailuo").id
            return Self.miniMax(["task_id": .string(id)])
        }
        if call.match("GET", "/query/video_generation") != nil, let id = call.request.queryItem("task_id"),
            let job = ask(id, at: .miniMax, now: call.now)
        {
            let word = job.word("Queueing", "Processing", "Success", "Fail", "Fail")
            return Self.miniMax([
                "task_id": .string(id), "status": .string(word), "file_id": .string(job.isDone ? id : ""),
                "error_message": .text(job.reason),
            ])
        }
        if call.match("GET", "/files/retrieve") != nil, let id = call.request.queryItem("file_id"),
            let job = job(id, at: .miniMax), let url = links(of: job, for: call).first?.url
        {
            let file: JSONValue = [
                "file_id": .string(id), "filename": "output_aigc.mp4", "purpose": "video_generation",
                "download_url": .string(url),
            ]
            return Self.miniMax(["file": file])
        }
        return .json(["base_resp": ["status_code": 404, "status_msg": "not found"]], status: 404)
    }

    private static func miniMax(_ body: JSONValue, _ code: Int = 0, _ words: String = "success") -> Response {
        .json(body.with(["base_resp": ["status_code": .count(code), "status_msg": .string(words)]]))
    }

    /// Together: `VideoJob`.
    mutating func together(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Bearer ") else {
            return Self.coded(401, "invalid_api_key", "Invalid API key provided.")
        }
        if call.match("POST", "/v2/videos") != nil {
            return .json(videoJob(submit(call, to: .together, model: call.input("model") ?? "video"), call))
        }
        if let id = call.match("GET", "/v2/videos/:")?[0], let job = ask(id, at: .together, now: call.now) {
            return .json(videoJob(job, call))
        }
        return Self.coded(404, "not_found", "The video is not found.")
    }

    private func videoJob(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        let url = job.isDone ? links(of: job, for: call).first?.url : nil
        return [
            "id": .string(job.id), "object": "video", "model": .string(job.model), "seconds": "8", "size": "1280x720",
            "status": .string(job.word("in_progress", "in_progress", "completed", "failed", "failed")),
            "created_at": .seconds(job.createdAt), "completed_at": .seconds(job.endedAt),
            "error": job.reason.map { ["message": .string($0)] } ?? nil,
            "outputs": url.map { ["cost": 1, "video_url": .string($0)] } ?? nil,
        ]
    }

    /// Luma's agents: `Generation` with `GenerationOutput`.
    mutating func lumaAgents(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Bearer ") else {
            return .json(["detail": "Invalid API key"], status: 401)
        }
        if call.match("POST", "/generations") != nil {
            let job = submit(call, to: .lumaAgents, model: call.input("model") ?? "ray-3.2")
            return .json(agentsGeneration(job, call), status: 201)
        }
        if let id = call.match("GET", "/generations/:")?[0], let job = ask(id, at: .lumaAgents, now: call.now) {
            return .json(agentsGeneration(job, call))
        }
        return .json(["detail": "Generation not found"], status: 404)
    }

    private func agentsGeneration(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        let output = (job.isDone ? links(of: job, for: call) : []).map { link -> JSONValue in
            ["type": .string(String(link.media.contentType.prefix { $0 != "/" })), "url": .string(link.url)]
        }
        return [
            "id": .string(job.id), "type": "video", "model": .string(job.model), "created_at": .moment(job.createdAt),
            "state": .string(job.word("queued", "processing", "completed", "failed", "failed")),
            "failure_reason": .text(job.reason), "failure_code": job.reason == nil ? nil : "generation_failed",
            "output": .array(output),
        ]
    }

    private static func coded(_ status: Int, _ code: String, _ message: String) -> Response {
        .json(["error": ["code": .string(code), "message": .string(message)]], status: status)
    }
}
