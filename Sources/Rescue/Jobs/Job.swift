package import FoundationEssentials
package import Providers

/// A video generation at a provider, or a bare link to a file that the user wants stored.
package struct Job: Hashable, Codable, Sendable, Identifiable {
    /// How a job came into the registry.
    package enum Origin: Hashable, Codable, Sendable {
        /// Made by `generate`.
        case submitted
        /// Named by the user, or found in the provider's history.
        case provider
        case link
        case row(TableRow)
    }

    /// Its key in the registry; never changes, also when `reference` becomes known later.
    package let id: JobIdentifier
    /// What its provider calls it; `nil` for a bare link, and for an order that was not taken yet.
    package var reference: JobReference?
    /// How it came into the registry; decides whether a row is written to once a file is stored.
    package var origin: Origin
    /// How far its order has come; only for jobs of `generate`.
    package var submission: Submission?
    /// As the provider last said; `succeeded` from the start for a bare link.
    package var state: JobState
    /// Empty until the job has succeeded.
    package var files: [JobFile]
    /// Why there is nothing to rescue; final.
    package var error: ProviderError?
    /// When it came into the registry.
    let addedAt: Date
    /// How often its provider was asked about it.
    package var asked: Int
    /// When the provider was first asked, moved on by the time it was unreachable; `nil` until then.
    package var startedAskingAt: Date?
    /// When to ask the provider next; `nil` means now, or never again once the job has ended.
    package var nextQuestionAt: Date?
    /// Why the last question brought no news; `nil` again after one that did.
    package var trouble: ProviderError?
    /// Passing refusals in a row, which the provider's patience limits; `nil` for none.
    package var refusals: Int?
    /// When the provider began it, by its own clock; `nil` until the provider tells.
    package var createdAt: Date?
    /// When it ended at the provider, by its own clock; `nil` until the provider tells.
    package var endedAt: Date?
    /// Whether the user cancelled it.
    package var isCancelled: Bool
    /// The claim on its row of the inbox; `nil` once the inbox was told how the job ended, and for every other job.
    package var inbox: InboxClaim?
    /// Whether it was cancelled because another computer took its row; `nil` for not.
    var isLeft: Bool?

    private enum CodingKeys: String, CodingKey {
        case id, reference, origin, submission, state, files, error, addedAt, asked, startedAskingAt, nextQuestionAt
        case trouble, refusals, createdAt, endedAt, isCancelled, inbox, isLeft
    }

    /// A job as it enters the registry, before its provider was asked about it.
    init(
        _ id: JobIdentifier, origin: Origin, reference: JobReference? = nil, submission: Submission? = nil,
        state: JobState = .queued, files: [JobFile] = [], addedAt: Date
    ) {
        self.id = id
        self.origin = origin
        self.reference = reference
        self.submission = submission
        self.state = state
        self.files = files
        self.addedAt = addedAt
        asked = 0
        isCancelled = false
    }
}

extension Job {
    /// Makes due what waits for a time after `now`.
    mutating func endWaits(after now: Date) {
        if let next = nextQuestionAt, next > now { nextQuestionAt = nil }
        for (index, file) in files.enumerated() {
            if let next = file.nextAttemptAt, next > now { files[index].nextAttemptAt = nil }
        }
    }
}

extension Job {
    /// A generation that its provider has a name for.
    package init(_ reference: JobReference, addedAt now: Date) {
        self.init(JobIdentifier(reference), origin: .provider, reference: reference, addedAt: now)
    }

    /// A link to a finished file, alone or from a table row.
    package init(_ link: RescueLink, origin: Origin = .link, addedAt now: Date) {
        let kind = WebAddress(link.url).flatMap { RemoteMedia.Kind(fileExtension: $0.fileExtension) }
        let media = RemoteMedia(
            link.url, kind ?? .unknown, deadline: Deadline(link: link.url, expiresAt: link.expires))
        let id: JobIdentifier
        if case .row(let row) = origin { id = JobIdentifier(row) } else { id = JobIdentifier(link: link.url) }
        self.init(id, origin: origin, state: .succeeded, files: [JobFile(media)], addedAt: now)
    }

    /// The provider that makes it, or is asked to; `nil` for a bare link and a row.
    var provider: ProviderName? { reference?.provider ?? submission?.intent.provider }

    /// The row the job came from; `nil` for every other origin.
    package var row: TableRow? { if case .row(let row) = origin { row } else { nil } }

    /// Its identifier by the provider's name and the one it is stored under, where they differ.
    var alias: (JobIdentifier, JobIdentifier)? {
        guard let reference, JobIdentifier(reference) != id else { return nil }
        return (JobIdentifier(reference), id)
    }

    /// Whether nothing more is to be done: cancelled, failed for good, or every file stored or failed.
    package var isSettled: Bool {
        if isCancelled || error != nil { return true }
        return !files.isEmpty && files.allSatisfy { $0.isSettled && !owesRow($0) }
    }

    /// Whether nothing depends on it any more: neither the ledger nor the inbox nor a row.
    var mayBeForgotten: Bool {
        isSettled && submission == nil && inbox == nil && !files.contains(where: \.keepsRowLink)
    }

    /// Whether everything it made is in storage.
    package var isStored: Bool { !files.isEmpty && files.allSatisfy { $0.stage == .stored } }

    /// Whether the row of a stored file is still to be updated.
    func owesRow(_ file: JobFile) -> Bool {
        guard row != nil, file.stage == .stored else { return false }
        if case .waiting? = file.row { return true }
        return file.row == nil
    }

    /// The job as people and other programs may see it: no query of any link.
    package var redacted: Job {
        var job = self
        job.files = files.map(\.redacted)
        job.inbox = nil
        job.isLeft = nil
        if let row { job.origin = .row(row.redacted) }
        return job
    }
}
