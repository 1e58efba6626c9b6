import Configuration
package import FoundationEssentials
package import Providers
import Queue

extension Job {
    /// Why it ended without a file, with its name at the provider if that is not its identifier here.
    package var loss: String? {
        guard let error, files.isEmpty else { return nil }
        guard let reference, alias != nil else { return "\(error)" }
        return "\(error); at \(reference.provider.rawValue) it is \(reference.id)"
    }

    /// Why it is asked about only later, and what the user can do; `nil` if the last question brought news.
    package var delay: String? {
        guard let trouble, error == nil, files.isEmpty, let provider = reference?.provider else { return nil }
        guard trouble.bearing != .key else { return Settings.Providers.refused(provider, trouble) }
        return "\(provider.rawValue) does not tell about it (\(trouble)); it is asked again"
    }

    /// What its provider's refusal of the key calls for; `nil` where the key is not refused.
    package var refusedKey: String? {
        if let trouble, trouble.bearing == .key { return delay }
        return files.first { $0.isBarred }?.failure?.message
    }

    /// Whether the refusal concerns every job at the provider; a 403 may concern this job alone.
    private var closesProvider: Bool { trouble.map { $0.bearing == .key && $0.status != 403 } ?? false }

    /// The providers that refuse their keys, so that only jobs whose questions were refused are asked about.
    ///
    /// - Parameter now: If given, only providers that are not being tried again at that time.
    package static func closed(_ open: [Job], at now: Date? = nil) -> Set<ProviderName> {
        let refused = open.filter { job in
            job.closesProvider && (now.map { now in job.nextQuestionAt.map { $0 > now } ?? false } ?? true)
        }
        return Set(refused.compactMap { $0.reference?.provider })
    }

    /// The job after its provider's key has changed, or may have: whatever the refused key held up is due.
    var withNewKey: Job {
        var job = self
        if trouble?.bearing == .key { job.nextQuestionAt = nil }
        for index in files.indices where files[index].isBarred { job.files[index].nextAttemptAt = nil }
        return job
    }
}

extension JobFile {
    /// Whether it can get no other link until a refused key is replaced.
    var isBarred: Bool { endedLink != nil && failure?.code == .rescue(.key) }

    /// Whether it waits because its link led to a forbidden address.
    var isAstray: Bool { nextAttemptAt != nil && failure?.code == .rescue(.refused) }
}
