import Providers
import Serving
import Supabase

/// Runway's tasks (contract section 3.3).
extension ProviderState {
    mutating func runway(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Bearer ") else {
            return .json(["error": "The API key is missing or invalid."], status: 401)
        }
        guard call.header("x-runway-version") == "2024-11-06" else {
            return .json(["error": "The X-Runway-Version header is missing or names no version."], status: 400)
        }
        if let kind = call.match("POST", "/v1/:")?[0], ["text_to_video", "image_to_video"].contains(kind) {
            return .json(["id": .string(submit(call, to: .runway, model: call.input("model") ?? "gen4").id)])
        }
        if let id = call.match("GET", "/v1/tasks/:")?[0], let job = ask(id, at: .runway, now: call.now) {
            return .json(runwayWork(job, call))
        }
        if let id = call.match("DELETE", "/v1/tasks/:")?[0], job(id, at: .runway) != nil {
            if !cancel(id, at: .runway, now: call.now) { remove(id, at: .runway) }
            return Response(status: 204)
        }
        return .json(["error": "Not found"], status: 404)
    }

    private func runwayWork(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        let word = job.word("PENDING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED")
        let body: JSONValue = ["id": .string(job.id), "status": .string(word), "createdAt": .moment(job.createdAt)]
        if job.isDone { return body.with(["output": .array(links(of: job, for: call).map { .string($0.url) })]) }
        if let reason = job.reason {
            return body.with(["failure": .string(reason), "failureCode": "INTERNAL.BAD_OUTPUT"])
        }
        return job.stage == .running ? body.with(["progress": 0.42]) : body
    }
}
