import FoundationEssentials
package import Providers
import Text

extension Rescuer {
    /// Asks once for the state of a job, and for the files of one that has succeeded.
    func ask(_ id: JobIdentifier) async throws {
        guard let job = await registry.job(id), let reference = job.reference,
            let provider = self.provider(reference.provider)
        else { return }
        let answer = await provider.standing(of: reference)
        try Task.checkCancellation()
        let policy = setup.sources.polling.of(provider)
        let (now, random) = (setup.clock(), Double.random(in: 0..<1))
        let asked = try await registry.update(id) {
            // Another task may have learned about its files meanwhile.
            if $0.files.isEmpty { $0 = $0.after(answer, policy: policy, at: now, random: random) }
            // The key may have been replaced while the provider refused the former one.
            if !self.hasKeyOf(provider) { $0 = $0.withNewKey }
        }
        if let asked { tell(about: asked, before: job) }
        if job.submission != nil, asked?.state == .running { await proceed(with: reference, at: provider, id) }
        if let due = asked?.nextQuestionAt { try await listen(to: provider, about: reference, id, until: due) }
    }

    /// Takes the next step of a job that was ordered here; if it fails, it is taken after the next question.
    private func proceed(with reference: JobReference, at provider: any Provider, _ id: JobIdentifier) async {
        do throws(ProviderError) {
            try await provider.proceed(with: reference)
        } catch {
            setup.log.info("The next step of \(id.rawValue) waits: \(error)")
        }
    }

    /// Logs that a job ended without its file, or that the key was refused, because the user has to know.
    private func tell(about job: Job, before: Job) {
        if let loss = job.loss, before.error == nil {
            setup.log.warning("\(job.id.rawValue) ended without its file: \(loss)")
        } else if let words = job.refusedKey, before.refusedKey == nil {
            setup.log.warning("\(job.id.rawValue) waits: \(words)")
        }
    }
}

extension Provider {
    /// The state of a job, with the files of one that has succeeded.
    ///
    /// One or two requests; a failure of either is the result.
    package func standing(of reference: JobReference) async -> Result<JobStatus, ProviderError> {
        do throws(ProviderError) {
            var status = try await status(of: reference)
            if status.state == .succeeded, status.files.isEmpty { status.files = try await files(of: reference) }
            return .success(status)
        } catch {
            return .failure(error)
        }
    }
}
