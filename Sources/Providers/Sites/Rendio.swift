package import FoundationEssentials
package import Supabase
package import Transfer

/// Rendio's edge functions on a Supabase project (contract, section 1.1).
package struct Rendio: Provider {
    /// Always `rendio`.
    package let name = ProviderName.rendio
    /// The Supabase project and the credentials for its functions.
    package let account: ProviderAccount
    /// The user whose jobs are listed; without one, `finished(since:)` throws `unsupported`.
    let userID: String?

    /// True: a repeated `Idempotency-Key` returns the first call's answer (contract, section 1.1).
    package var hasIdempotencyKeys: Bool { true }

    /// `project` is the project's URL; the functions lie below `/functions/v1`.
    package init(
        project: String, credentials: StorageCredentials, userID: String? = nil, transport: any Transport
    ) {
        var headers: HTTPHeaders = ["authorization": "Bearer \(credentials.bearer)"]
        headers["apikey"] = credentials.apiKey
        account = ProviderAccount(base: project, secretHeaders: headers, transport: transport)
        self.userID = userID
    }

    /// Sends the intent's key, so a repeated call returns the first answer as a replay.
    package func submit(_ intent: SubmitIntent) async throws(ProviderError) -> SubmitReceipt {
        let response = try await account.ask(
            .post, "/functions/v1/generate-video", json: intent.input,
            headers: ["idempotency-key": intent.key.rawValue])
        let answer = try account.read(response, as: RendioJob.self)
        let isReplay = response.headers["x-idempotent-replay"]?.lowercased() == "true"
        return SubmitReceipt(
            JobReference(.rendio, answer.id, model: intent.model), credits: answer.creditsUsed, isReplay: isReplay)
    }

    /// Asks the status function; one request.
    package func status(of job: JobReference) async throws(ProviderError) -> JobStatus {
        let id = ProviderAccount.escaped(job.id)
        return try await account.ask(.get, "/functions/v1/get-video-status?job_id=\(id)", as: RendioJob.self).status
    }

    /// Reads the user's jobs, at most 100 pages of 100.
    package func finished(since: Date) async throws(ProviderError) -> [JobReference] {
        guard let userID else {
            throw ProviderError(.unsupported, "Rendio lists a user's jobs: set providers.rendio.user to the user's id.")
        }
        var jobs: [JobReference] = []
        for page in 0..<100 {
            let query = "user_id=\(ProviderAccount.escaped(userID))&limit=100&offset=\(page * 100)"
            let answer = try await account.ask(.get, "/functions/v1/get-video-jobs?\(query)", as: RendioJobs.self)
            jobs += answer.jobs.filter { $0.status.state == .succeeded && $0.ended ?? .distantFuture >= since }
                .map { JobReference(.rendio, $0.id, model: $0.model) }
            guard answer.count == 100 else { break }
        }
        return jobs
    }
}

/// A job as the functions return it.
struct RendioJob: Decodable {
    let id: String
    let model: String?
    let creditsUsed: Int?
    let status: JobStatus

    /// When it ended, or else when it was created.
    var ended: Date? { status.endedAt ?? status.createdAt }

    private enum CodingKeys: String, CodingKey {
        case id = "job_id"
        case model = "model_name"
        case state = "status"
        case creditsUsed = "credits_used"
        case video = "video_url"
        case thumbnail = "thumbnail_url"
        case error = "error_message"
        case createdAt = "created_at"
        case completedAt = "completed_at"
    }

    init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        id = try keys.decode(String.self, forKey: .id)
        model = keys.text(.model)
        creditsUsed = keys.whole(.creditsUsed)
        var status = JobStatus(JobState(word: keys.text(.state) ?? ""))
        if status.state == .failed {
            status.error = ProviderError(body: keys.value(.error).map { .object(["error": $0]) })
        }
        status.createdAt = keys.moment(.createdAt)
        status.endedAt = keys.moment(.completedAt)
        if let video = keys.text(.video) { status.files.append(RemoteMedia(video, .video)) }
        if let thumbnail = keys.text(.thumbnail) { status.files.append(RemoteMedia(thumbnail, .image)) }
        self.status = status.dated(lifetime: nil)
    }
}

/// A page of jobs.
struct RendioJobs: Decodable {
    let jobs: [RendioJob]
    /// Rows of the page, the unreadable ones included.
    let count: Int

    private enum CodingKeys: String, CodingKey { case jobs }

    init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        jobs = keys.list(of: RendioJob.self, .jobs)
        count = keys.value(.jobs)?.elements.count ?? 0
    }
}
