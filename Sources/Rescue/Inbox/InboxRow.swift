import FoundationEssentials
package import Providers
import Supabase

/// A finished job that a provider told the project of, and that this computer has claimed.
package struct InboxRow: Hashable, Sendable {
    /// Proves the claim until another one is made.
    package let token: String
    /// The job's name at its provider.
    package let reference: JobReference
    /// How it ended, with the files that the provider named.
    package let status: JobStatus

    /// A row as the claim returned it.
    package init(token: String, reference: JobReference, status: JobStatus) {
        self.token = token
        self.reference = reference
        self.status = status
    }
}

/// A claim of this computer on a row of the inbox, durable with the job.
package struct InboxClaim: Hashable, Codable, Sendable {
    /// Proves the claim until another one is made.
    let token: String
    /// When another computer may take the row.
    var until: Date
    /// Whether the job came from the inbox alone, so that another computer which takes the row gets the job.
    package let isSole: Bool

    private enum CodingKeys: String, CodingKey { case token, until, isSole }
}

extension InboxRow {
    /// Reads a row of `claim_rescues`; `nil` where it lacks what every row has.
    init?(_ row: JSONValue) {
        guard let token = row["token"]?.string, let provider = row["provider"]?.string,
            let id = row["provider_job"]?.string, let state = row["status"]?.string
        else { return nil }
        self.token = token
        let payload = row["payload"] ?? .null
        reference = JobReference(ProviderName(rawValue: provider), id, model: payload["model"]?.string)
        if state == "succeeded" {
            status = JobStatus(.succeeded, files: MediaWalker.files(in: payload))
        } else {
            let words = row["error"]?.string ?? "The provider gives no reason."
            status = JobStatus(.failed, error: ProviderError(.refused, words))
        }
    }

    /// The job, to be asked about where the provider named no file.
    func job(policy: PollingPolicy, at now: Date) -> Job {
        let job = Job(reference, addedAt: now)
        guard status.state == .failed || !status.files.isEmpty else { return job }
        return job.after(.success(status), policy: policy, at: now, random: 0)
    }
}
