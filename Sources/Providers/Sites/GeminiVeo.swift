import Supabase
package import Transfer

/// Veo through the Gemini API; a job's id is its operation's name, `models/…/operations/…` (contract 3.2).
package struct GeminiVeo: Provider {
    package let name = ProviderName.gemini
    package let account: ProviderAccount

    package static let usualBase = "https://generativelanguage.googleapis.com/v1beta"

    package init(
        key: String, base: String = GeminiVeo.usualBase, transport: any Transport
    ) {
        account = ProviderAccount(base: base, secretHeaders: ["x-goog-api-key": key], transport: transport)
    }

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

    /// Done without a sample means that a filter took it; the reason stands beside.
    private static func filtered(_ body: JSONValue) -> ProviderError {
        let reasons = body["response"]?["generateVideoResponse"]?["raiMediaFilteredReasons"]?.elements
        let words = reasons?.compactMap(\.text).joined(separator: " ") ?? ""
        return ProviderError(.contentFiltered, words.isEmpty ? "Gemini made no video and gives no reason." : words)
    }
}
