import FoundationEssentials
import Providers
import Serving
import Supabase

/// Kling, whose every answer has a code, 0 for a success, and its content under `data`.
extension ProviderState {
    mutating func kling(_ call: SiteRequest) -> Response {
        guard let token = call.header("authorization")?.dropFirst("Bearer ".count), signer.signed(token) else {
            return Self.kling(nil, status: 401, code: 1_002, "Authorization is invalid")
        }
        let path = "/v1/videos/text2video"
        if call.match("POST", path) != nil {
            return Self.kling(klingWork(submit(call, to: .kling, model: call.input("model_name") ?? "kling-v1"), call))
        }
        if call.match("GET", path) != nil {
            let rows = call.page(of: askAll(at: .kling, now: call.now), number: "pageNum", size: "pageSize")
            return Self.kling(.array(rows.map { klingWork($0, call) }))
        }
        if let id = call.match("GET", path + "/:")?[0], let job = ask(id, at: .kling, now: call.now) {
            return Self.kling(klingWork(job, call))
        }
        return Self.kling(nil, status: 404, code: 1_203, "The task does not exist")
    }

    private func klingWork(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        let videos = (job.isDone ? links(of: job, for: call) : []).map { link -> JSONValue in
            ["id": .string(job.id), "url": .string(link.url), "duration": "5"]
        }
        return [
            "task_id": .string(job.id), "task_status_msg": .string(job.reason ?? ""),
            "task_status": .string(job.word("submitted", "processing", "succeed", "failed", "failed")),
            "created_at": Self.milliseconds(job.createdAt), "updated_at": Self.milliseconds(job.endedAt),
            "task_result": ["videos": .array(videos)],
        ]
    }

    private static func milliseconds(_ date: Date?) -> JSONValue {
        date.map { .integer(Int64($0.timeIntervalSince1970 * 1_000)) } ?? .null
    }

    private static func kling(
        _ data: JSONValue, status: Int = 200, code: Int = 0, _ message: String = "SUCCEED"
    ) -> Response {
        .json(["code": .count(code), "message": .string(message), "request_id": "r", "data": data], status: status)
    }
}
