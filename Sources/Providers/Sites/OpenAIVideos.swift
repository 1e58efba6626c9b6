package import FoundationEssentials
import Supabase
package import Transfer

/// The `/videos` calls that OpenAI introduced and several gateways also answer (contract 3.1, 3.4).
package struct OpenAIVideos: Provider {
    /// Always `openai`, for gateways too.
    package let name = ProviderName.openAI
    /// The account at OpenAI or at a gateway, whose key is sent as a bearer token.
    package let account: ProviderAccount

    /// `base` ends before `/videos`, such as `https://gateway.example/v1`.
    package init(base: String, key: String, transport: any Transport) {
        account = ProviderAccount(
            base: base, secretHeaders: ["authorization": "Bearer \(key)"], transport: transport)
    }

    /// Asks for the video; its deadline is `expires_at`, or else the documented lifetime.
    package func status(of job: JobReference) async throws(ProviderError) -> JobStatus {
        let id = ProviderAccount.escaped(job.id)
        let body = try await account.ask(.get, "/videos/\(id)", as: JSONValue.self)
        var status = JobStatus(JobState(word: body["status"]?.text ?? ""))
        status.progress = JobStatus.share(percent: body["progress"]?.decimal)
        status.createdAt = body["created_at"]?.moment
        status.endedAt = body["completed_at"]?.moment
        if status.state == .failed { status.error = ProviderError(body: body, cleanser: account.cleanser) }
        guard status.state == .succeeded else { return status }
        status.files = files(of: id, in: body)
        let expiresAt = body["expires_at"]?.moment
        return status.dated(lifetime: expiresAt == nil ? name.lifetime : nil, expiresAt: expiresAt)
    }

    /// Reads the list, newest first, until it reaches `since`; at most 100 pages of 100 jobs.
    package func finished(since: Date) async throws(ProviderError) -> [JobReference] {
        var jobs: [JobReference] = []
        var after = ""
        for _ in 0..<100 {
            let body = try await account.ask(.get, "/videos?limit=100&order=desc\(after)", as: JSONValue.self)
            let rows = body["data"]?.elements ?? []
            for row in rows where JobState(word: row["status"]?.text ?? "") == .succeeded {
                let ended = row["completed_at"]?.moment ?? row["created_at"]?.moment ?? .distantFuture
                guard let id = row["id"]?.text, ended >= since else { continue }
                jobs.append(JobReference(.openAI, id, model: row["model"]?.text))
            }
            guard body["has_more"]?.flag == true, let last = rows.last?["id"]?.text else { break }
            let next = "&after=\(ProviderAccount.escaped(last))"
            guard next != after, rows.last?["created_at"]?.moment ?? .distantFuture >= since else { break }
            after = next
        }
        return jobs
    }

    /// The links a gateway names, or else the content call, which returns the video itself.
    private func files(of id: String, in body: JSONValue) -> [RemoteMedia] {
        var files = MediaWalker.files(under: "unsigned_urls", of: body)
        if files.isEmpty { files = [RemoteMedia("\(account.base)/videos/\(id)/content", .video)] }
        let sides = body["size"]?.text?.split(separator: "x").compactMap { Int($0) } ?? []
        return files.map { file in
            var file = file
            if file.kind == .unknown { file.kind = .video }
            file.needsAccount = account.owns(file.url)
            file.duration = file.duration ?? body["seconds"]?.decimal
            if sides.count == 2 { (file.width, file.height) = (sides[0], sides[1]) }
            return file
        }
    }
}
