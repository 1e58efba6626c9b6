import FoundationEssentials
import Providers
import Serving
import Supabase

/// Veo at Vertex AI, which puts the files themselves into the answer if the request names no bucket for them.
extension ProviderState {
    mutating func vertex(_ call: SiteRequest) -> Response {
        guard shows(call, "authorization", scheme: "Bearer ") else {
            return Self.googleError(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
        }
        if call.method == "POST", call.path.hasSuffix(":predictLongRunning") {
            let model = call.path.split(separator: "/").last?.prefix { $0 != ":" } ?? "veo"
            return .json(["name": .string(submit(call, to: .vertex, model: String(model)).id)])
        }
        if call.method == "POST", call.path.hasSuffix(":fetchPredictOperation"), let id = call.input("operationName"),
            let job = ask(id, at: .vertex, now: call.now)
        {
            return .json(vertexOperation(job))
        }
        return Self.googleError(404, "NOT_FOUND", "Requested entity was not found.")
    }

    private func vertexOperation(_ job: MadeJob) -> JSONValue {
        guard job.stage == .ended else { return ["name": .string(job.id)] }
        let done: JSONValue = ["name": .string(job.id), "done": true]
        if case .failed(let reason) = job.end { return done.with(["error": ["code": 13, "message": .string(reason)]]) }
        let videos = (job.isDone ? job.media : []).map { media -> JSONValue in
            [
                "bytesBase64Encoded": .string(Data(media.bytes).base64EncodedString()),
                "mimeType": .string(media.contentType),
            ]
        }
        return done.with(["response": ["raiMediaFilteredCount": .count(0), "videos": .array(videos)]])
    }
}
