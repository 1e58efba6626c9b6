import Supabase
package import Transfer

/// Runway's tasks; each request returns new links whose token holds their expiry (contract 3.3).
package struct Runway: Provider {
    /// Always `runway`.
    package let name = ProviderName.runway
    /// The account whose key is sent as a bearer token.
    package let account: ProviderAccount

    /// The public address of the API (contract, section 3.3).
    package static let usualBase = "https://api.dev.runwayml.com"

    /// A client that sends `key` as a bearer token.
    package init(key: String, base: String = Runway.usualBase, transport: any Transport) {
        account = ProviderAccount(
            base: base, secretHeaders: ["authorization": "Bearer \(key)"], transport: transport)
    }

    /// The API version, which every call must name.
    private static let version: HTTPHeaders = ["x-runway-version": "2024-11-06"]

    /// Asks for the task; the links in `output` are new with every call.
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
