import Providers
import Serving
import Supabase

/// Luma's generations (contract section 3.4).
extension ProviderState {
    mutating func luma(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Bearer ") else {
            return .json(["detail": "Invalid API key"], status: 401)
        }
        if call.match("POST", "/generations/video") != nil {
            return .json(generation(submit(call, to: .luma, model: call.input("model") ?? "ray-2"), call), status: 201)
        }
        if call.match("GET", "/generations") != nil {
            let rows = askAll(at: .luma, now: call.now)
            return .json(["has_more": false, "generations": .array(rows.map { generation($0, call) })])
        }
        if let id = call.match("GET", "/generations/:")?[0], let job = ask(id, at: .luma, now: call.now) {
            return .json(generation(job, call))
        }
        return .json(["detail": "Generation not found"], status: 404)
    }

    private func generation(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        let links = job.isDone ? links(of: job, for: call) : []
        let url = { (kind: String) in links.first { $0.media.contentType.hasPrefix(kind) }?.url }
        let assets: JSONValue = ["video": .text(url("video")), "image": .text(url("image")), "progress_video": nil]
        return [
            "id": .string(job.id), "state": .string(job.word("queued", "dreaming", "completed", "failed", "failed")),
            "failure_reason": .text(job.reason), "created_at": .moment(job.createdAt),
            "assets": links.isEmpty ? nil : assets,
        ]
    }
}
