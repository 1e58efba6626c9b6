import Supabase
package import Transfer

/// Luma's generations; how long their files live is not documented (contract, section 3.4).
package struct Luma: Provider {
    /// Always `luma`.
    package let name = ProviderName.luma
    /// The account whose key is sent as a bearer token.
    package let account: ProviderAccount

    /// The public address with the API's version (contract, section 3.4).
    package static let usualBase = "https://api.lumalabs.ai/dream-machine/v1"

    /// A client that sends `key` as a bearer token.
    package init(
        key: String, base: String = Luma.usualBase, transport: any Transport
    ) {
        account = ProviderAccount(
            base: base, secretHeaders: ["authorization": "Bearer \(key)"], transport: transport)
    }

    /// Asks for the generation; the files are its video and its image asset.
    package func status(of job: JobReference) async throws(ProviderError) -> JobStatus {
        let path = "/generations/" + ProviderAccount.escaped(job.id)
        let body = try await account.ask(.get, path, as: JSONValue.self)
        var status = JobStatus(JobState(word: body["state"]?.text ?? ""))
        status.createdAt = body["created_at"]?.moment
        if status.state == .failed { status.error = ProviderError(body: body, cleanser: account.cleanser) }
        if status.state == .succeeded {
            status.files = [("video", RemoteMedia.Kind.video), ("image", .image)].compactMap { field, kind in
                body["assets"]?[field]?.string.map { RemoteMedia($0, kind) }
            }
        }
        return status.dated(lifetime: name.lifetime)
    }
}
