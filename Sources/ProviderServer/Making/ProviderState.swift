import FoundationEssentials
import Providers
import Serving
import Supabase

/// Everything that the made-up providers hold: jobs, files, and what they charged.
///
/// The state reads no clock, because each call brings the time.
struct ProviderState: Sendable {
    let key: String
    let plan: ProviderPlan
    let signer: Signer
    private(set) var charges: [Charge] = []
    var hosted = HostedFiles()
    /// The answers to submissions, by their idempotency key, as Rendio keeps them.
    var replays: [String: JSONValue] = [:]
    var credits: Int
    var stories: [Story] = []
    private var jobs: [MadeJob] = []
    private var count = 0

    init(key: String, plan: ProviderPlan) {
        self.key = key
        self.plan = plan
        signer = Signer(secret: Array(key.utf8))
        credits = plan.credits
    }
}

// MARK: Jobs

extension ProviderState {
    /// Jobs of `site`, oldest first.
    func jobs(at site: ProviderName) -> [MadeJob] { jobs.filter { $0.site == site } }

    /// The state of a job, without moving it on.
    func job(_ id: String, at site: ProviderName) -> MadeJob? {
        jobs.first { $0.site == site && $0.id == id }
    }

    mutating func add(_ job: MadeJob) {
        jobs.append(job)
    }

    /// Accepts a job and charges for it.
    ///
    /// - Parameter collection: What precedes the number in the job's id, if that is not the provider's usual.
    mutating func submit(
        _ call: SiteRequest, to site: ProviderName, model: String, key: String? = nil, in collection: String? = nil
    ) -> MadeJob {
        let id = nextID(site.rawValue)
        var job = MadeJob(
            site, collection.map { "\($0)/\(id)" } ?? Self.name(of: id, model, at: site), model: model,
            media: plan.media,
            queued: plan.queued, running: plan.running, end: plan.end)
        job.input = call.json
        job.createdAt = call.now
        charge(job, key: key, at: call.now)
        jobs.append(job)
        return job
    }

    /// The provider's id of a job; Google's ids are paths.
    private static func name(of id: String, _ model: String, at site: ProviderName) -> String {
        switch site {
        case .gemini: "models/\(model)/operations/\(id)"
        case .vertex: "projects/p/locations/global/publishers/google/models/\(model)/operations/\(id)"
        default: id
        }
    }

    mutating func charge(_ job: MadeJob, key: String? = nil, at now: Date) {
        charges.append(Charge(site: job.site, job: job.id, model: job.model, key: key, at: now))
    }

    mutating func nextID(_ prefix: String) -> String {
        count += 1
        return "\(prefix)-\(count)"
    }

    /// Answers one question about a job, which moves it on; its files appear when it succeeds.
    mutating func ask(_ id: String, at site: ProviderName, now: Date) -> MadeJob? {
        guard let index = jobs.firstIndex(where: { $0.site == site && $0.id == id }) else { return nil }
        guard !isBlocked(jobs[index]) else { return jobs[index] }
        jobs[index] = jobs[index].asked(at: now)
        if jobs[index].isDone { layOut(jobs[index]) }
        return jobs[index]
    }

    /// Whether the job waits for another one.
    func isBlocked(_ job: MadeJob) -> Bool {
        job.after.contains { id in !(self.job(id, at: job.site)?.isDone ?? false) }
    }

    /// Answers one question about all jobs of `site`, newest first.
    mutating func askAll(at site: ProviderName, now: Date) -> [MadeJob] {
        jobs(at: site).reversed().compactMap { ask($0.id, at: site, now: now) }
    }

    /// Ends a job that has not ended; `false` if it has ended already, or is unknown.
    mutating func cancel(_ id: String, at site: ProviderName, now: Date) -> Bool {
        guard let index = jobs.firstIndex(where: { $0.site == site && $0.id == id }), jobs[index].stage != .ended
        else { return false }
        jobs[index].end = .cancelled
        jobs[index].endedAt = now
        return true
    }

    mutating func remove(_ id: String, at site: ProviderName) {
        jobs.removeAll { $0.site == site && $0.id == id }
    }
}

// MARK: Files

extension ProviderState {
    private mutating func layOut(_ job: MadeJob) {
        for (path, media) in zip(job.filePaths, job.media) where hosted[path] == nil {
            hosted[path] = HostedFiles.Held(media: media, access: access(at: job.site), goneAt: goneAt(job))
        }
    }

    private func access(at site: ProviderName) -> HostedFiles.Access {
        switch site {
        case .storyToVideo, .runway, .luma: .signature
        case .gemini, .openAI: .account
        default: .anyone
        }
    }

    /// When the files of an ended job are deleted; `nil` if their links expire instead, or if neither happens.
    func goneAt(_ job: MadeJob) -> Date? {
        guard access(at: job.site) != .signature, let lifetime = plan.lifetimes[job.site] else { return nil }
        return job.endedAt.map { $0 + Double(lifetime.components.seconds) }
    }

    /// A link to one of a job's files; a provider that signs links anew in each answer uses the call's time.
    func link(_ path: String, of job: MadeJob, for call: SiteRequest) -> String {
        let lifetime = Int(plan.lifetimes[job.site]?.components.seconds ?? 365 * 86_400)
        let link = call.origin(host: plan.fileHost) + path
        switch job.site {
        case .storyToVideo:
            return link + "?" + signer.presigned(path, at: job.endedAt ?? call.now, lifetime: lifetime)
        case .luma: return link + "?" + signer.presigned(path, at: call.now, lifetime: lifetime)
        case .runway: return link + "?" + signer.token(path, expiry: call.now + Double(lifetime))
        default: return link
        }
    }

    /// The job's files with their links.
    func links(of job: MadeJob, for call: SiteRequest) -> [(media: MadeMedia, url: String)] {
        zip(job.filePaths, job.media).map { path, media in (media, link(path, of: job, for: call)) }
    }

    /// The answer to a GET or HEAD below `/files`.
    func file(_ call: SiteRequest, shortenedTo count: Int?) -> Response {
        let path = String(call.request.path)
        guard let held = hosted[path], held.access != .account else { return Response(status: 404) }
        if held.access == .signature {
            let verdict = signer.verdict(path, query: String(call.request.query ?? ""), now: call.now)
            guard verdict == .valid, call.method == "GET" else { return Self.refused(verdict) }
        }
        return content(path, for: call, shortenedTo: count) ?? Response(status: 404)
    }

    /// The answer with the file at `path`, which the call must be permitted to get; `nil` once it has been deleted.
    func content(_ path: String, for call: SiteRequest, shortenedTo count: Int? = nil) -> Response? {
        guard let held = hosted[path], held.goneAt.map({ call.now < $0 }) ?? true else { return nil }
        return held.answer(call.request, shortenedTo: count)
    }

    /// S3's answer to a link that it does not accept.
    private static func refused(_ verdict: Signer.Verdict) -> Response {
        let (code, words) =
            verdict == .expired
            ? ("AccessDenied", "Request has expired") : ("SignatureDoesNotMatch", "The signature does not match")
        let text =
            #"<?xml version="1.0" encoding="UTF-8"?><Error><Code>\#(code)</Code><Message>\#(words)</Message></Error>"#
        return Response(status: 403, headers: ["Content-Type": "application/xml"], body: .bytes(Array(text.utf8)))
    }
}
