package import FoundationEssentials
package import Providers

/// A video generation at a provider, or a bare link that somebody wants safe.
package struct Job: Hashable, Codable, Sendable, Identifiable {
    /// How it came into the book.
    package enum Origin: Hashable, Codable, Sendable {
        /// Made by `generate`.
        case submitted
        /// Named by the user, or found in the provider's history.
        case provider
        case link
        case row(TableRow)
    }

    package let id: JobIdentifier
    /// `nil` for a bare link.
    package var reference: JobReference?
    package var origin: Origin
    /// Of `generate` only.
    package var submission: Submission?
    /// As the provider says; a link has succeeded at once.
    package var state: JobState
    /// Empty until the job has succeeded.
    package var files: [JobFile]
    /// Why there is nothing to rescue; final.
    package var error: ProviderError?
    package let addedAt: Date
    /// Questions to the provider so far.
    package var asked: Int
    package var startedAskingAt: Date?
    package var nextQuestionAt: Date?
    package var createdAt: Date?
    package var endedAt: Date?
    /// The user wants no more of it.
    package var isCancelled: Bool

    private enum CodingKeys: String, CodingKey {
        case id, reference, origin, submission, state, files, error, addedAt, asked, startedAskingAt, nextQuestionAt
        case createdAt, endedAt, isCancelled
    }

    /// A job as it enters the book.
    package init(
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
    /// A generation that the provider knows.
    package init(_ reference: JobReference, addedAt now: Date) {
        self.init(JobIdentifier(reference), origin: .provider, reference: reference, addedAt: now)
    }

    /// A link, alone or of a row.
    package init(_ link: RescueLink, origin: Origin = .link, addedAt now: Date) {
        let kind = WebAddress(link.url).flatMap { RemoteMedia.Kind(fileExtension: $0.fileExtension) }
        let media = RemoteMedia(
            link.url, kind ?? .unknown, deadline: Deadline(link: link.url, expiresAt: link.expires))
        let id: JobIdentifier
        if case .row(let row) = origin { id = JobIdentifier(row) } else { id = JobIdentifier(link: link.url) }
        self.init(id, origin: origin, state: .succeeded, files: [JobFile(media)], addedAt: now)
    }

    /// The row the job came from.
    package var row: TableRow? { if case .row(let row) = origin { row } else { nil } }

    /// The name its provider's jobs have and the one it came under, where they differ.
    var alias: (JobIdentifier, JobIdentifier)? {
        guard let reference, JobIdentifier(reference) != id else { return nil }
        return (JobIdentifier(reference), id)
    }

    /// Whether nothing more is to be done: cancelled, failed for good, or every file stored or failed.
    package var isSettled: Bool {
        if isCancelled || error != nil { return true }
        return !files.isEmpty && files.allSatisfy { $0.isSettled && !owesRow($0) }
    }

    /// Whether everything it made is in storage.
    package var isStored: Bool { !files.isEmpty && files.allSatisfy { $0.stage == .stored } }

    /// Whether a stored file's row still has to hear of it.
    func owesRow(_ file: JobFile) -> Bool {
        guard row != nil, file.stage == .stored else { return false }
        if case .waiting? = file.row { return true }
        return file.row == nil
    }

    /// When the first of its files is gone; of those that are not on this disk yet.
    package var deadline: Deadline? { files.lazy.filter { !$0.isSafe }.compactMap(\.deadline).min() }

    /// The job as people and other programs may see it: no query of any link.
    package var redacted: Job {
        var job = self
        job.files = files.map(\.redacted)
        if let row { job.origin = .row(row.redacted) }
        return job
    }
}
