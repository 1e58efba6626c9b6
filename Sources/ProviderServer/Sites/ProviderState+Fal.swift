import FoundationEssentials
import Providers
import Serving
import Supabase

/// fal's queue and its history (contract section 2).
extension ProviderState {
    mutating func fal(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Key ") else {
            return .json(["detail": "Cannot access application. Authentication is required."], status: 401)
        }
        if call.match("GET", "/v1/models/requests/by-endpoint") != nil { return falHistory(call) }
        if call.match("POST", "/v1/storage/files/sign") != nil { return falSigned(call) }
        let segments = call.path.split(separator: "/").map(String.init)
        guard let mark = segments.firstIndex(of: "requests"), mark + 1 < segments.count else {
            guard call.method == "POST", segments.count >= 2 else { return Self.noFalRequest }
            return falSubmit(call, model: segments.joined(separator: "/"))
        }
        let step = segments.count > mark + 2 ? segments[mark + 2] : ""
        let id = segments[mark + 1]
        guard let job = job(id, at: .fal), Self.app(of: job.model) == segments[..<mark].joined(separator: "/") else {
            return Self.noFalRequest
        }
        switch (call.method, step) {
        case ("GET", "status"): return falStatus(id, call)
        case ("GET", ""): return falResult(job, call)
        case ("PUT", "cancel"):
            let isCancelled = cancel(id, at: .fal, now: call.now)
            return isCancelled
                ? .json(["status": "CANCELLATION_REQUESTED"], status: 202)
                : .json(["status": "ALREADY_COMPLETED"], status: 400)
        default: return Response(status: 405)
        }
    }

    /// Another link to a file that still exists; the stand-in does not check fal's signatures.
    private mutating func falSigned(_ call: SiteRequest) -> Response {
        guard let link = call.request.queryItem("url"), let path = WebAddress(link)?.path, let held = hosted[path],
            held.goneAt.map({ call.now < $0 }) ?? true
        else { return .json(["detail": "File not found"], status: 404) }
        return .json(["signed_url": .string("\(link)?identity=\(nextID("signature"))")])
    }

    private static let noFalRequest = Response.json(
        ["detail": "Request not found", "status": "NOT_FOUND"], status: 404)

    /// The part of a model's name that begins the paths of its requests.
    private static func app(of model: String) -> String {
        let parts = model.split(separator: "/")
        return parts.prefix(["workflows", "comfy"].contains(parts.first) ? 3 : 2).joined(separator: "/")
    }

    private mutating func falSubmit(_ call: SiteRequest, model: String) -> Response {
        let job = submit(call, to: .fal, model: model)
        return .json(falCalls(job, call).with(["status": "IN_QUEUE", "gateway_request_id": .string(job.id)]))
    }

    private func falCalls(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        let base = "\(call.origin)/fal/\(Self.app(of: job.model))/requests/\(job.id)"
        return [
            "request_id": .string(job.id), "response_url": .string(base), "queue_position": 0,
            "status_url": .string(base + "/status"), "cancel_url": .string(base + "/cancel"),
        ]
    }

    private mutating func falStatus(_ id: String, _ call: SiteRequest) -> Response {
        guard let job = ask(id, at: .fal, now: call.now) else { return Self.noFalRequest }
        let word = job.word("IN_QUEUE", "IN_PROGRESS", "COMPLETED", "COMPLETED", "COMPLETED")
        var body = falCalls(job, call).with(["status": .string(word), "logs": nil])
        guard job.stage == .ended else { return .json(body, status: 202) }
        body = body.with(["metrics": ["inference_time": 41.7]])
        if call.request.queryItem("logs") == "1", let reason = job.reason {
            let line: JSONValue = ["message": .string("worker: \(reason)"), "level": "STDERR", "source": "USER"]
            body = body.with(["logs": [["message": "loading weights", "level": "INFO"], line]])
        }
        switch job.end {
        case .failed(let reason):
            return .json(body.with(["error": .string(reason), "error_type": "runner_server_error"]))
        case .cancelled:
            return .json(body.with(["error": "Request was cancelled", "error_type": "client_cancelled"]))
        default: return .json(body)
        }
    }

    private func falResult(_ job: MadeJob, _ call: SiteRequest) -> Response {
        guard job.stage == .ended else { return .json(["detail": "Request is still in progress"], status: 400) }
        guard let reason = job.reason else { return .json(falOutput(job, call)) }
        let detail: JSONValue = [
            "loc": ["body", "prompt"], "msg": .string(reason), "type": "content_policy_violation",
        ]
        return .json(["detail": [detail]], status: 422)
    }

    private func falOutput(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        var output: JSONValue = [:]
        for (media, url) in links(of: job, for: call) {
            let field = ["video": "video", "image": "thumbnail", "audio": "audio"][String(media.contentType.prefix(5))]
            let file: JSONValue = [
                "url": .string(url), "content_type": .string(media.contentType), "file_name": .string(media.name),
                "file_size": .count(media.bytes.count),
            ]
            output = output.with(.object([field ?? "file": file]))
        }
        return output
    }

    /// The jobs that have ended, page by page, newest first.
    private mutating func falHistory(_ call: SiteRequest) -> Response {
        let models = Set((call.request.queryItem("endpoint_id") ?? "").split(separator: ",").map(String.init))
        guard 1...50 ~= models.count else { return .json(["detail": "endpoint_id: 1 to 50 ids"], status: 422) }
        let parse = { (text: String) in try? Date.ISO8601FormatStyle().parse(text) }
        let start = call.request.queryItem("start").flatMap(parse) ?? call.now - 86_400
        let wanted = call.request.queryItem("status")
        let rows = askAll(at: .fal, now: call.now).filter { job in
            guard models.contains(job.model), job.stage == .ended, let end = job.endedAt, end >= start else {
                return false
            }
            return wanted != "success" || job.end == .succeeded
        }
        let limit = call.count("limit") ?? 50
        let first = call.count("cursor") ?? 0
        let page = rows.dropFirst(first).prefix(limit)
        let hasMore = first + page.count < rows.count
        return .json([
            "items": .array(page.map { falEntry($0, call) }), "has_more": .bool(hasMore),
            "next_cursor": hasMore ? .string("\(first + page.count)") : nil,
        ])
    }

    private func falEntry(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        let entry: JSONValue = [
            "request_id": .string(job.id), "endpoint_id": .string(job.model), "started_at": .moment(job.createdAt),
            "sent_at": .moment(job.createdAt), "ended_at": .moment(job.endedAt), "duration": 41.2,
            "status_code": job.end == .succeeded ? 200 : 422,
        ]
        guard call.request.queryItem("expand") == "payloads" else { return entry }
        return entry.with(["json_input": job.input, "json_output": falOutput(job, call)])
    }
}
