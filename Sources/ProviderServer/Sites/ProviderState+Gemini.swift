import Providers
import Serving
import Supabase

/// Veo's operations at the Gemini API (contract section 3.2).
extension ProviderState {
    mutating func gemini(_ call: SiteRequest) -> Response {
        guard shows(call, "x-goog-api-key") else { return Self.wrongGeminiKey }
        if call.method == "POST", call.path.hasSuffix(":predictLongRunning"), call.path.hasPrefix("/models/") {
            let model = call.path.dropFirst("/models/".count).dropLast(":predictLongRunning".count)
            return .json(["name": .string(submit(call, to: .gemini, model: String(model)).id)])
        }
        if call.match("POST", "/interactions") != nil {
            let job = submit(call, to: .gemini, model: call.input("model") ?? "omni", in: "interactions")
            return .json(interaction(job, call))
        }
        if let parts = call.match("GET", "/files/:/:") {
            let path = "/files/gemini/\(parts[0])/\(parts[1].prefix { $0 != ":" })"
            return content(path, for: call) ?? Self.googleError(404, "NOT_FOUND", "File not found")
        }
        if call.method == "GET", let job = ask(String(call.path.dropFirst()), at: .gemini, now: call.now) {
            return .json(job.id.hasPrefix("interactions/") ? interaction(job, call) : geminiOperation(job, call))
        }
        return Self.googleError(404, "NOT_FOUND", "Requested entity was not found.")
    }

    private func geminiOperation(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        guard job.stage == .ended else { return ["name": .string(job.id)] }
        let done: JSONValue = ["name": .string(job.id), "done": true]
        if case .failed(let reason) = job.end {
            return done.with(["error": ["code": 13, "message": .string(reason), "status": "INTERNAL"]])
        }
        let samples =
            job.isDone
            ? job.filePaths.map { path in
                JSONValue.object([
                    "video": ["uri": .string("\(call.origin)/gemini\(fileCall(path)):download?alt=media")]
                ])
            } : []
        let made: JSONValue = [
            "generatedSamples": .array(samples), "raiMediaFilteredCount": .count(samples.isEmpty ? 1 : 0),
            "raiMediaFilteredReasons": samples.isEmpty ? .array([.text(job.reason)]) : [],
        ]
        return done.with(["response": ["@type": "PredictLongRunningResponse", "generateVideoResponse": made]])
    }

    /// The interaction as google-genai reads it: `interaction.py`, `modeloutputstep.py`, `videocontent.py`.
    private func interaction(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        let content = zip(job.filePaths, job.media).map { path, media -> JSONValue in
            [
                "type": "video", "mime_type": .string(media.contentType),
                "uri": .string("\(call.origin)/gemini\(fileCall(path)):download?alt=media"),
            ]
        }
        return [
            "id": .string(String(job.id.dropFirst("interactions/".count))), "model": .string(job.model),
            "status": .string(job.word("queued", "in_progress", "completed", "failed", "cancelled")),
            "created": .moment(job.createdAt), "updated": .moment(job.endedAt ?? job.createdAt),
            "errors": job.reason.map { [["message": .string($0)]] } ?? [],
            "steps": job.isDone ? [["type": "model_output", "content": .array(content)]] : [],
        ]
    }

    private func fileCall(_ path: String) -> String {
        "/files" + path.dropFirst("/files/gemini".count)
    }

    private static let wrongGeminiKey = googleError(
        400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", reason: "API_KEY_INVALID")

    static func googleError(
        _ code: Int, _ status: String, _ message: String, reason: String? = nil
    ) -> Response {
        let details: JSONValue = reason.map { [["reason": .string($0)]] } ?? []
        let error: JSONValue = [
            "code": .count(code), "message": .string(message), "status": .string(status), "details": details,
        ]
        return .json(["error": error], status: code)
    }
}
