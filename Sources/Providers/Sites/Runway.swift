import Supabase
package import Transfer

/// Runway's tasks; each question gives fresh links with their end in a token (contract 3.3).
package struct Runway: Provider {
    package let name = ProviderName.runway
    package let account: ProviderAccount

    package static let usualBase = "https://api.dev.runwayml.com"

    package init(key: String, base: String = Runway.usualBase, transport: any Transport) {
        account = ProviderAccount(
            base: base, secretHeaders: ["authorization": "Bearer \(key)"], transport: transport)
    }

    /// The version of the interface that every call must name.
    private static let version: HTTPHeaders = ["x-runway-version": "2024-11-06"]

    package func status(of job: JobReference) async throws(ProviderError) -> JobStatus {
        let body = try await account.ask(.get, path(of: job), headers: Self.version, as: JSONValue.self)
        var status = JobStatus(JobState(word: body["status"]?.text ?? ""))
        status.progress = body["progress"]?.decimal.map { max(0, min($0, 1)) }
        status.createdAt = body["createdAt"]?.moment
        if status.state == .failed { status.error = ProviderError(body: body, cleanser: account.cleanser) }
        status.files = MediaWalker.files(under: "output", of: body)
        return status.dated(lifetime: name.lifetime)
    }

    /// Cancels a running job; one that has ended is left alone, since the same call would delete its files.
    package func cancel(_ job: JobReference) async throws(ProviderError) -> CancelOutcome {
        guard try await !status(of: job).state.isEnd else { return .tooLate }
        _ = try await account.ask(.delete, path(of: job), headers: Self.version)
        return .requested
    }

    private func path(of job: JobReference) -> String {
        "/v1/tasks/" + ProviderAccount.escaped(job.id)
    }
}
