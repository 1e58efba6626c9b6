import Supabase
package import Transfer

/// Replicate's predictions; their files live an hour (contract 3.4).
package struct Replicate: Provider {
    package let name = ProviderName.replicate
    package let account: ProviderAccount

    package static let usualBase = "https://api.replicate.com/v1"

    package init(key: String, base: String = Replicate.usualBase, transport: any Transport) {
        account = ProviderAccount(
            base: base, secretHeaders: ["authorization": "Bearer \(key)"], transport: transport)
    }

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
