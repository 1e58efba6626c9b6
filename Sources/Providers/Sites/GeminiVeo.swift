import Supabase
package import Transfer

/// Veo through the Gemini API; a job's id is `models/…/operations/…` (contract, section 3.2).
package struct GeminiVeo: Provider {
    /// Always `gemini`.
    package let name = ProviderName.gemini
    /// The account whose key is sent as `x-goog-api-key`.
    package let account: ProviderAccount

    /// The public address with the API's version (contract, section 3.2).
    package static let usualBase = "https://generativelanguage.googleapis.com/v1beta"

    /// A client that sends `key` in `x-goog-api-key`, never in the query.
    package init(
        key: String, base: String = GeminiVeo.usualBase, transport: any Transport
    ) {
        account = ProviderAccount(base: base, secretHeaders: ["x-goog-api-key": key], transport: transport)
    }

    /// Asks for the operation; done without a video counts as filtered.
    package func status(of job: JobReference) async throws(ProviderError) -> JobStatus {
        let body = try await account.ask(.get, "/" + ProviderAccount.escaped(job.id), as: JSONValue.self)
        guard body["done"]?.flag == true else { return JobStatus(.running) }
        guard body["error"] == nil else { return JobStatus(.failed, error: ProviderError(body: body)) }
        let files = MediaWalker.files(in: body["response"] ?? .null).map { file in
            var file = file
            if file.kind == .unknown { file.kind = .video }
            file.needsAccount = account.owns(file.url)
            return file
        }
        guard files.isEmpty else { return JobStatus(.succeeded, files: files) }
        return JobStatus(.failed, error: Self.filtered(body))
    }

    /// Done without a video means that a safety filter removed it; the answer holds the reasons.
    private static func filtered(_ body: JSONValue) -> ProviderError {
        let reasons = body["response"]?["generateVideoResponse"]?["raiMediaFilteredReasons"]?.elements
        let words = reasons?.compactMap(\.text).joined(separator: " ") ?? ""
        return ProviderError(.contentFiltered, words.isEmpty ? "Gemini made no video and gives no reason." : words)
    }
}
