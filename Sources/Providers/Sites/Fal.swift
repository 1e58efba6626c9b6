import Cleansing
import Formats
package import FoundationEssentials
import Supabase
package import Transfer

/// fal's queue, which runs the models of many makers (contract, section 2).
package struct Fal: Provider {
    /// Always `fal`.
    package let name = ProviderName.fal
    /// The queue's account, for jobs and their results.
    package let account: ProviderAccount
    /// The account for the list of past requests, which is on a different host than the queue.
    let history: ProviderAccount
    /// Models whose finished jobs are listed, at most 50 in one request.
    let models: [String]

    /// The queue's public address (contract, section 2).
    package static let usualBase = "https://queue.fal.run"
    /// The queue's second address, used if the first cannot be reached (fal-client: `_BACKUP_DOMAINS`).
    static let secondBase = "https://queue.falrun.com"
    /// The public address of the list of past requests (contract, section 2).
    package static let usualHistory = "https://api.fal.ai"

    /// `key` is sent as `Authorization: Key …`, never as a bearer token.
    package init(
        key: String, models: [String] = [], base: String = Fal.usualBase,
        history: String = Fal.usualHistory, transport: any Transport
    ) {
        let headers: HTTPHeaders = ["authorization": "Key \(key)"]
        var account = ProviderAccount(base: base, secretHeaders: headers, transport: transport)
        if base == Self.usualBase { account.backup = Self.secondBase }
        self.account = account
        self.history = ProviderAccount(base: history, secretHeaders: headers, transport: transport)
        self.models = models
    }

    /// Adds one request to the model's queue; fal has no idempotency keys.
    package func submit(_ intent: SubmitIntent) async throws(ProviderError) -> SubmitReceipt {
        let path = "/" + ProviderAccount.escaped(intent.model)
        let answer = try await account.ask(.post, path, json: intent.input, as: FalReceipt.self)
        return SubmitReceipt(JobReference(.fal, answer.requestID, model: intent.model, calls: answer.calls))
    }

    /// Asks for the status and, once it says completed, for the result, since failures show only there.
    package func status(of job: JobReference) async throws(ProviderError) -> JobStatus {
        let link = try call("/status", of: job, named: job.calls?.status)
        let response = try await account.ask(.get, link)
        let answer = try account.read(response, as: FalStatus.self)
        let state = JobState(word: answer.status)
        guard state == .succeeded || state == .failed else { return JobStatus(state) }
        if state == .succeeded, !answer.hasError {
            let end = try await outcome(of: job, calls: answer.calls)
            return end.error == nil ? end : await withLogs(end, from: link)
        }
        let body = try account.read(response, as: JSONValue.self)
        let error = ProviderError(body: body, cleanser: account.cleanser)
        guard error.kind != .cancelled else { return JobStatus(.cancelled, error: error) }
        return await withLogs(JobStatus(.failed, error: error), from: link)
    }

    /// Signs the link anew, which opens private files; for a file on another host, reads the job's result again.
    package func renewed(
        _ link: String, at index: Int, of job: JobReference
    ) async throws(ProviderError) -> RemoteMedia? {
        let bare = String(link.prefix { $0 != "?" && $0 != "#" })
        let path = "/v1/storage/files/sign?url=\(PercentEncoding.component.encoded(bare))"
        let seconds = Self.signedFor
        do throws(ProviderError) {
            let answer = try await history.ask(
                .post, path, json: ["expiration_seconds": .integer(seconds)], as: JSONValue.self)
            guard let signed = answer["signed_url"]?.string else { return try await listed(link, at: index, of: job) }
            return RemoteMedia(signed, .unknown)
        } catch {
            guard error.bearing == .final else { throw error }
            return try await listed(link, at: index, of: job)
        }
    }

    /// Seconds that a signed link works, of fal's at most 7 days (https://fal.ai/docs/platform-apis/v1/storage/files/sign).
    private static let signedFor: Int64 = 86_400

    /// Requests cancellation; a job that has completed is `tooLate`.
    package func cancel(_ job: JobReference) async throws(ProviderError) -> CancelOutcome {
        let link = try call("/cancel", of: job, named: job.calls?.cancel)
        let response = try await account.exchange(.put, link)
        if response.isSuccess { return .requested }
        let word = try? account.read(response, as: FalStatus.self).status
        guard word != "ALREADY_COMPLETED" else { return .tooLate }
        throw ProviderError(response, cleanser: account.cleanser)
    }

    /// Looks from a minute before the intent, since fal's clock may be behind ours; failed jobs count too.
    package func jobs(like intent: SubmitIntent) async throws(ProviderError) -> [JobReference] {
        let entries = try await entries(since: intent.madeAt - 60, of: [intent.model][...], "&expand=payloads")
        return entries.filter { $0.input.map { intent.input.isPart(of: $0) } ?? false }.compactMap(\.reference)
    }

    /// The successful requests of `models`; throws `unsupported` if none are configured.
    package func finished(since: Date) async throws(ProviderError) -> [JobReference] {
        guard !models.isEmpty else {
            throw ProviderError(.unsupported, "fal lists finished jobs by model: name them in providers.fal.models.")
        }
        var jobs: [JobReference] = []
        for start in stride(from: 0, to: models.count, by: 50) {
            let models = models[start..<min(start + 50, models.count)]
            jobs += try await entries(since: since, of: models, "&status=success").compactMap(\.job)
        }
        return jobs
    }
}

extension Fal {
    /// Derives the job's end from the result call, since fal's status has no failed state.
    ///
    /// Errors of the call itself are thrown, such as a gateway's that is busy: the result may be there later.
    private func outcome(of job: JobReference, calls: JobReference.Calls) async throws(ProviderError) -> JobStatus {
        let link = try call("", of: job, named: job.calls?.result ?? calls.result)
        let response = try await account.exchange(.get, link)
        guard response.isSuccess else {
            let error = ProviderError(response, cleanser: account.cleanser)
            guard Self.isOfJob(error, response) else { throw error }
            return JobStatus(.failed, error: error)
        }
        let body = try account.read(response, as: JSONValue.self)
        return JobStatus(.succeeded, files: MediaWalker.files(in: body)).dated(lifetime: name.lifetime)
    }

    /// Whether an answer to the result call tells how the job ended: a final refusal, or an error with a type of fal's.
    private static func isOfJob(_ error: ProviderError, _ response: HTTPResponse) -> Bool {
        guard error.bearing != .key else { return false }
        let isFinal = response.headers["x-fal-retryable"]?.lowercased() == "false"
        return error.bearing == .final || error.code != nil || isFinal
    }

    /// The end with the last log lines, if fal still has them; requested only once, because the log may be long.
    private func withLogs(_ end: JobStatus, from link: String) async -> JobStatus {
        guard let response = try? await account.ask(.get, link + (link.contains("?") ? "&" : "?") + "logs=1"),
            let logs = try? account.read(response, as: JSONValue.self)["logs"]
        else { return end }
        let lines = logs.elements.suffix(20).compactMap { $0["message"]?.text }
        guard !lines.isEmpty else { return end }
        var end = end
        let cleanser = account.cleanser
        let text = lines.map { cleanser.text($0) }.joined(separator: "\n")
        let parts = [end.error?.body, String(text.suffix(2_000))].compactMap(\.self)
        end.error?.body = parts.joined(separator: "\n")
        return end
    }

    /// The link that fal has `named`, or one computed from the job's id and model.
    private func call(_ step: String, of job: JobReference, named link: String?) throws(ProviderError) -> String {
        if let link { return link }
        guard let model = job.model else {
            throw ProviderError(.refused, "fal finds a job by its model and id: name the model too.")
        }
        return "/\(ProviderAccount.escaped(Self.app(of: model)))/requests/\(ProviderAccount.escaped(job.id))\(step)"
    }

    /// The start of a model's id in its requests' paths: two parts, three in a namespace (contract 2.1).
    package static func app(of model: String) -> String {
        let parts = model.split(separator: "/")
        let isSpaced = ["workflows", "comfy"].contains(parts.first)
        return parts.prefix(isSpaced ? 3 : 2).joined(separator: "/")
    }

    /// The history's entries for these models, page by page; `more` holds further query parameters.
    private func entries(
        since: Date, of models: ArraySlice<String>, _ more: String
    ) async throws(ProviderError) -> [FalHistory.Entry] {
        var entries: [FalHistory.Entry] = []
        var cursor: String?
        var cursors: Set<String> = []
        for _ in 0..<100 {
            let ids = ProviderAccount.escaped(models.joined(separator: ",")).replacing("%2C", with: ",")
            let start = ProviderAccount.escaped(since.formatted(Date.ISO8601FormatStyle()))
            var link = "/v1/models/requests/by-endpoint?endpoint_id=\(ids)\(more)&start=\(start)&limit=100"
            if let cursor { link += "&cursor=\(ProviderAccount.escaped(cursor))" }
            let page = try await history.ask(.get, link, as: FalHistory.self)
            entries += page.items
            guard page.hasMore, let next = page.nextCursor, cursors.insert(next).inserted else { break }
            cursor = next
        }
        return entries
    }
}
