import Cleansing
package import FoundationEssentials
import Supabase
package import Transfer

/// A provider whose API is a table: it is polled as the table says.
package struct PolledProvider: Provider {
    /// The table.
    let api: JobAPI
    /// The account that the key belongs to.
    package let account: ProviderAccount

    /// The table's name.
    package var name: ProviderName { api.name }
    /// The table's least time between two questions.
    package var leastWait: Duration { api.leastWait }
    /// The table's patience.
    package var patience: Duration { api.patience }
    /// The table's lifetime of files.
    package var lifetime: Duration? { api.lifetime }

    /// A client at `base`, or else at the table's usual address.
    package init(_ api: JobAPI, key: String, base: String? = nil, transport: any Transport) {
        var secrets = HTTPHeaders()
        if case .header(let name, let prefix) = api.authentication { secrets[name] = prefix + key }
        let signingKey = api.authentication == .signed ? SigningKey(key) : nil
        if api.authentication == .signed, signingKey == nil { secrets["authorization"] = "Bearer " + key }
        self.api = api
        var account = ProviderAccount(
            base: base ?? api.base ?? "", secretHeaders: secrets, signingKey: signingKey, transport: transport)
        if !api.answer.inline.isEmpty || !api.answer.dataLinks.isEmpty {
            // Room for a few video files in base64.
            account.answerLimit = 256 << 20
            account.timeouts.total = .seconds(1_800)
        }
        self.account = account
    }

    /// Asks once; a file that is named by an id needs a second request.
    package func status(of job: JobReference) async throws(ProviderError) -> JobStatus {
        let body = try await told(of: job)
        var status = api.answer.status(in: body, cleanser: account.cleanser)
        guard status.state == .succeeded else { return status }
        status.files = try await files(of: job, in: body)
        if status.files.isEmpty { status.files = api.answer.inlined(in: body).indices.map { RemoteMedia(inline: $0) } }
        if let place = api.answer.kept.flatMap({ body.all(at: $0).first?.text }), status.files.isEmpty {
            let words = "\(title) put the file into your own bucket (\(account.cleanser.text(place))); it stays there."
            return JobStatus(.failed, error: ProviderError(.unsupported, words))
        }
        if status.files.isEmpty, let reasons = api.answer.filtered {
            return JobStatus(.failed, error: filtered(body, reasons))
        }
        let expires = api.answer.expires.flatMap { body.all(at: $0).first?.moment }
        return status.dated(lifetime: expires == nil ? api.lifetime : nil, expiresAt: expires)
    }

    /// Asks again; the whole answer is in memory, and nothing of it is kept.
    package func inlined(_ number: Int, of job: JobReference) async throws(ProviderError) -> [UInt8] {
        let files = api.answer.inlined(in: try await told(of: job))
        guard files.indices.contains(number) else {
            throw ProviderError(.missing, "\(title)'s answer does not hold the file any more.")
        }
        guard let data = Data(base64Encoded: String(files[number]), options: .ignoreUnknownCharacters) else {
            throw ProviderError(.invalidResponse, "The file in \(name.rawValue)'s answer is no base64.")
        }
        return Array(data)
    }

    /// Asks for a new job, with the intent's model where the input names none.
    package func submit(_ intent: SubmitIntent) async throws(ProviderError) -> SubmitReceipt {
        guard let order = api.order else { throw unsupportedSubmission }
        var input = intent.input
        if case .object(var members) = input, members[order.model] == nil {
            members[order.model] = .string(intent.model)
            input = .object(members)
        }
        let body = try await answer(.post, order.path.text, json: input, headers: order.headers)
        guard let id = body.all(at: order.id).first?.text else {
            var error = ProviderError(.invalidResponse, "\(name.rawValue) names no id for the new job.")
            error.mayHaveArrived = true
            throw error
        }
        return SubmitReceipt(JobReference(name, id, model: intent.model))
    }

    /// Cancels a job that has not ended; a job that has is left alone, because the same call may delete its files.
    package func cancel(_ job: JobReference) async throws(ProviderError) -> CancelOutcome {
        guard let call = api.cancel else { throw unsupportedCancelling }
        guard try await !status(of: job).state.isEnd else { return .tooLate }
        _ = try await account.ask(call.method, call.path.filled(job.id), headers: headers())
        return .requested
    }

    /// Reads the list until it ends or reaches `since`; at most 100 pages.
    package func finished(since: Date) async throws(ProviderError) -> [JobReference] {
        guard let list = api.list else { throw unsupportedListing }
        var jobs: [JobReference] = []
        var call: String? = list.first
        var (calls, seen) = (Set<String>(), Set<String>())
        var read = 0
        for page in 1...100 {
            guard let path = call, calls.insert(path).inserted else { break }
            let body = try await answer(.get, path)
            let rows = body.all(at: list.rows).first?.elements ?? []
            let known = seen.count
            for row in rows {
                // New jobs push rows to the next page while the list is read, so a row may appear twice.
                guard let id = row.all(at: list.id).first?.text, seen.insert(id).inserted,
                    api.answer.state(in: row) == .succeeded, api.answer.ending(of: row) ?? .distantFuture >= since
                else { continue }
                jobs.append(JobReference(name, id, model: row.all(at: list.model).first?.text))
            }
            read += rows.count
            call = list.next(
                page, after: read, body, rows, hasNews: seen.count > known, reaching: since,
                created: api.answer.created)
        }
        return jobs
    }
}

extension PolledProvider {
    private func headers(_ more: [String: String] = [:]) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in api.headers.merging(more, uniquingKeysWith: { $1 }) { headers[name] = value }
        return headers
    }

    private func answer(
        _ method: HTTPMethod, _ path: String, json: JSONValue? = nil, headers more: [String: String] = [:]
    ) async throws(ProviderError) -> JSONValue {
        let body = try await account.ask(method, path, json: json, headers: headers(more), as: JSONValue.self)
        if let refusal = api.answer.refusal(in: body, by: name, cleanser: account.cleanser) { throw refusal }
        return body
    }

    private func files(of job: JobReference, in body: JSONValue) async throws(ProviderError) -> [RemoteMedia] {
        var files: [RemoteMedia] = []
        for place in api.results { files += try await self.files(at: place, of: job, in: body) }
        if files.isEmpty, let place = api.otherwise { files = try await self.files(at: place, of: job, in: body) }
        var seen: Set<String> = []
        return files.filter { seen.insert($0.identity).inserted }.map { file in
            var file = file
            file.needsAccount = account.owns(file.url)
            api.answer.describe(&file, by: body)
            return file
        }
    }

    /// The answer about the job, or the part of it that holds all values.
    private func told(of job: JobReference) async throws(ProviderError) -> JSONValue {
        let question = api.question(about: job.id)
        let answer = try await answer(question.method, question.path, json: question.json)
        return api.answer.root.flatMap { answer.all(at: $0).first } ?? answer
    }

    private func files(
        at place: ResultPlace, of job: JobReference, in body: JSONValue
    ) async throws(ProviderError) -> [RemoteMedia] {
        switch place {
        case .links(let path, let kind):
            return MediaWalker.files(in: .object([path.name: .array(body.all(at: path))])).map { file in
                var file = file
                if file.kind == .unknown { file.kind = kind }
                return file
            }
        case .named(let path):
            return body.all(at: path).flatMap { MediaWalker.files(in: $0, isNamed: true) }
        case .link(let path, let kind): return body.all(at: path).compactMap(\.string).map { RemoteMedia($0, kind) }
        case .call(let path, let kind): return [RemoteMedia(account.base + path.filled(job.id), kind)]
        case .file(let path, let call, let link, let kind):
            var files: [RemoteMedia] = []
            for id in body.all(at: path).compactMap(\.text) {
                let answer = try await answer(.get, call.filled(id))
                files += answer.all(at: link).compactMap(\.string).map { RemoteMedia($0, kind) }
            }
            return files
        }
    }

    /// The name at the beginning of a sentence.
    private var title: String { name.rawValue.prefix(1).uppercased() + name.rawValue.dropFirst() }

    /// A finished job without a file means that a safety filter removed the file; the answer may hold the reasons.
    private func filtered(_ body: JSONValue, _ reasons: AnswerPath) -> ProviderError {
        let words = body.all(at: reasons).flatMap { $0.elements + [$0] }.compactMap(\.text).joined(separator: " ")
        return ProviderError(
            .contentFiltered,
            words.isEmpty ? "\(title) made no video and gives no reason." : account.cleanser.text(words, limit: 500))
    }
}

extension JobListing {
    /// The call for the page after number `page` and `read` rows; `nil` if no further page can matter.
    ///
    /// - Parameter hasNews: Whether the page had a job that no page before it had.
    func next(
        _ page: Int, after read: Int, _ body: JSONValue, _ rows: [JSONValue], hasNews: Bool, reaching since: Date,
        created: AnswerPath?
    ) -> String? {
        let oldest = created.flatMap { rows.last?.all(at: $0).first?.moment } ?? .distantFuture
        switch paging {
        case .none: return nil
        case .after(let item, let more):
            guard body.all(at: more).first?.flag == true, oldest >= since,
                let last = rows.last?.all(at: id).first?.text
            else { return nil }
            return self.path.text + "&" + item + "=" + ProviderAccount.escaped(last)
        case .link(let place): return oldest >= since ? body.all(at: place).first?.text : nil
        case .offset(let item, let more):
            let hasMore = body.all(at: more).first?.flag ?? (rows.count >= Self.pageSize)
            guard hasMore, hasNews else { return nil }
            return first.replacing("\(item)=0", with: "\(item)=\(read)")
        case .page(let item):
            // A provider may return fewer rows than asked for, or ignore the page number, so only news counts.
            guard hasNews else { return nil }
            return first.replacing("\(item)=1", with: "\(item)=\(page + 1)")
        }
    }
}
