import FoundationEssentials
import Providers
import Serving
import Supabase

/// Rendio's edge functions (contract section 1.1).
extension ProviderState {
    mutating func rendio(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Bearer "), call.header("apikey") != nil else {
            return .json(["error": "Unauthorized"], status: 401)
        }
        if call.match("POST", "/functions/v1/generate-video") != nil { return rendioSubmit(call) }
        if call.match("GET", "/functions/v1/get-video-status") != nil {
            guard let id = call.request.queryItem("job_id") else { return .json(["error": "job_id"], status: 400) }
            guard let job = ask(id, at: .rendio, now: call.now) else {
                return .json(["error": "Job not found"], status: 404)
            }
            return .json(rendioJob(job, call))
        }
        if call.match("GET", "/functions/v1/get-video-jobs") != nil { return rendioJobs(call) }
        if call.match("POST", "/functions/v1/delete-video-job") != nil {
            remove(call.input("job_id") ?? "", at: .rendio)
            return .json(["success": true])
        }
        return .json(["error": "Not found"], status: 404)
    }

    /// A repeated idempotency key gets the first answer again and is not charged again.
    private mutating func rendioSubmit(_ call: SiteRequest) -> Response {
        guard let key = call.header("idempotency-key"), !key.isEmpty else {
            return .json(["error": "Idempotency-Key header required"], status: 400)
        }
        if let answer = replays[key] {
            var response = Response.json(answer)
            response.headers["X-Idempotent-Replay"] = "true"
            return response
        }
        guard credits >= plan.creditsPerJob else {
            let (current, required) = (JSONValue.count(credits), JSONValue.count(plan.creditsPerJob))
            return .json(
                ["error": "Insufficient credits", "current_credits": current, "required_credits": required], status: 402
            )
        }
        credits -= plan.creditsPerJob
        let job = submit(call, to: .rendio, model: call.input("model_id") ?? "unknown", key: key)
        let answer: JSONValue = [
            "job_id": .string(job.id), "status": "pending", "credits_used": .count(plan.creditsPerJob),
            "credits_remaining": .count(credits),
        ]
        replays[key] = answer
        return .json(answer)
    }

    private func rendioJob(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        let links = job.isDone ? links(of: job, for: call) : []
        let url = { (kind: String) in links.first { $0.media.contentType.hasPrefix(kind) }?.url }
        return [
            "job_id": .string(job.id), "model_name": .string(job.model), "credits_used": .count(plan.creditsPerJob),
            "status": .string(job.word("pending", "processing", "completed", "failed", "failed")),
            "video_url": .text(url("video")), "thumbnail_url": .text(url("image")),
            "error_message": .text(job.reason), "created_at": .moment(job.createdAt),
            "completed_at": .moment(job.endedAt),
        ]
    }

    private mutating func rendioJobs(_ call: SiteRequest) -> Response {
        guard call.request.queryItem("user_id") != nil else { return .json(["error": "user_id"], status: 400) }
        let limit = min(100, call.count("limit") ?? 20)
        let offset = call.count("offset") ?? 0
        let rows = askAll(at: .rendio, now: call.now).dropFirst(offset).prefix(limit)
        return .json(["jobs": .array(rows.map { rendioJob($0, call) })])
    }
}
