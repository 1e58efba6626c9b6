import Configuration
import Platform
import Providers
import Sync

extension Rescuer {
    /// The file after its bytes were taken from the provider's answer, which holds them in base64.
    func copied(
        _ file: JobFile, _ number: Int, of job: Job, to part: OpenFile, in folder: RescuedFolder
    ) async throws -> JobFile {
        guard let reference = job.reference else { return file.without("The job it stood in is not known") }
        guard let provider = provider(reference.provider) else {
            return after(.barred(Settings.Providers.missing(reference.provider)), file)
        }
        let bytes: [UInt8]
        do throws(ProviderError) {
            bytes = try await provider.inlined(number, of: reference)
        } catch {
            // An answer that was cut off because the run stops says nothing.
            try Task.checkCancellation()
            return after(LinkRenewal(error, by: reference.provider, patience: provider.patience), file)
        }
        if let refusal = setup.sources.linkRules.refusal(ofSize: Int64(bytes.count)) {
            return file.without("\(refusal)")
        }
        try await Blocking.run { () throws(SystemError) in try part.write(bytes, at: 0) }
        try await folder.keep(part, Int64(bytes.count))
        var next = file
        next.endedLink = nil
        return next.after(
            .complete(Int64(bytes.count), validator: nil), at: setup.clock(), ladder: ladder, random: 0)
    }

    private func after(_ renewal: LinkRenewal, _ file: JobFile) -> JobFile {
        var file = file
        file.endedLink = DownloadStep.failure(.rescue(.provider), "The file stands in the provider's answer")
        return file.after(
            renewal, at: setup.clock(), ladder: ladder, polling: setup.sources.polling, random: .random(in: 0..<1))
    }
}

extension JobFile {
    fileprivate func without(_ reason: String) -> JobFile {
        var file = self
        file.end(with: DownloadStep.failure(.rescue(.refused), reason))
        return file
    }
}
