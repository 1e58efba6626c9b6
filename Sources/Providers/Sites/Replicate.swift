import Supabase
package import Transfer

/// Replicate's predictions; their files are kept for an hour (contract, section 3.4).
package struct Replicate: Provider {
    /// Always `replicate`.
    package let name = ProviderName.replicate
    /// The account whose key is sent as a bearer token.
    package let account: ProviderAccount

    /// The public address with the API's version (contract, section 3.4).
    package static let usualBase = "https://api.replicate.com/v1"

    /// A client that sends `key` as a bearer token.
    package init(key: String, base: String = Replicate.usualBase, transport: any Transport) {
        account = ProviderAccount(
            base: base, secretHeaders: ["authorization": "Bearer \(key)"], transport: transport)
    }

    /// Asks for the prediction; its files are all links below `output`.
    package func status(of job: JobReference) async throws(ProviderError) -> JobStatus {
        let path = "/predictions/" + ProviderAccount.escaped(job.id)
        let body = try await account.ask(.get, path, as: JSONValue.self)
        var status = JobStatus(JobState(word: body["status"]?.text ?? ""))
        status.createdAt = body["created_at"]?.moment
        status.endedAt = body["completed_at"]?.moment
        if status.state == .failed { status.error = ProviderError(body: body, cleanser: account.cleanser) }
        if status.state == .succeeded {
            status.files = MediaWalker.files(under: "output", of: body)
            for index in status.files.indices {
                status.files[index].needsAccount = account.owns(status.files[index].url)
            }
        }
        return status.dated(lifetime: name.lifetime)
    }
}
