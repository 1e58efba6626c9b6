import Providers
import Serving
import Supabase

/// Replicate's predictions (contract section 3.4).
extension ProviderState {
    mutating func replicate(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Bearer ") else {
            return .json(["title": "Unauthenticated", "detail": "You did not pass a valid token."], status: 401)
        }
        if call.match("POST", "/predictions") != nil {
            let job = submit(call, to: .replicate, model: call.input("version") ?? "unknown")
            return .json(prediction(job, call), status: 201)
        }
        if call.match("GET", "/predictions") != nil {
            let rows = askAll(at: .replicate, now: call.now)
            return .json(["previous": nil, "next": nil, "results": .array(rows.map { prediction($0, call) })])
        }
        if let id = call.match("POST", "/predictions/:/cancel")?[0], let job = job(id, at: .replicate) {
            _ = cancel(id, at: .replicate, now: call.now)
            return .json(prediction(job, call))
        }
        if let id = call.match("GET", "/predictions/:")?[0], let job = ask(id, at: .replicate, now: call.now) {
            return .json(prediction(job, call))
        }
        return .json(["title": "Not found", "detail": "The requested resource could not be found."], status: 404)
    }

    private func prediction(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        let links = job.isDone ? links(of: job, for: call).map { JSONValue.string($0.url) } : []
        let output = links.count == 1 ? links[0] : links.isEmpty ? .null : .array(links)
        return [
            "id": .string(job.id), "error": .text(job.reason), "output": output,
            "model": .string(job.model), "version": .string(job.model), "input": job.input, "logs": "", "urls": [:],
            "status": .string(job.word("starting", "processing", "succeeded", "failed", "canceled")),
            "created_at": .moment(job.createdAt), "completed_at": .moment(job.endedAt),
        ]
    }
}
