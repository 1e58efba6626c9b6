import Configuration
import FoundationEssentials
import Providers
import Records

extension Rescuer {
    /// Where another link to the files of `job` is to be had.
    func source(of job: Job) -> LinkSource {
        if let reference = job.reference {
            return provider(reference.provider).map { .provider($0, reference) }
                ?? .unconfigured(reference.provider)
        }
        guard let row = job.row, let rows = setup.sources.rows else { return .none }
        return .row(rows, row)
    }

    /// The file after its source was asked for another link.
    func renewed(_ file: JobFile, of job: Job, _ index: Int) async throws -> JobFile {
        let renewal: LinkRenewal
        let source = source(of: job)
        switch source {
        case .none: renewal = .none("Nothing gives another link to it")
        case .unconfigured(let name): renewal = .barred(Settings.Providers.missing(name))
        case .row(let rows, let row): renewal = try await reread(row, of: job.id, in: rows)
        case .provider(let provider, let reference):
            renewal = await asked(provider, for: file, index, of: reference)
        }
        // An answer that was cut off because the run stops says nothing.
        try Task.checkCancellation()
        var next = file.after(
            renewal, at: setup.clock(), ladder: ladder, polling: setup.sources.polling, random: .random(in: 0..<1))
        if case .provider(let provider, _) = source, next.isBarred, !hasKeyOf(provider) { next.nextAttemptAt = nil }
        return next
    }

    private func asked(
        _ provider: any Provider, for file: JobFile, _ index: Int, of reference: JobReference
    ) async -> LinkRenewal {
        let name = provider.name
        do throws(ProviderError) {
            guard let media = try await provider.renewed(file.link, at: index, of: reference) else {
                return .none("\(name.rawValue) does not name the file any more")
            }
            // A link whose time has not come may have been refused by mistake, so it is tried twice more.
            let isInTime = file.deadline.map { setup.clock() < $0.date } ?? false
            let mayWork = isInTime && (file.renewals ?? 0) < 2
            guard name.renewsLinks || mayWork || media.url != file.link else {
                return .none("\(name.rawValue) names the same link again")
            }
            return .named(media)
        } catch {
            return LinkRenewal(error, by: name, patience: provider.patience)
        }
    }

    /// Reads the row again, because the application may have signed its link anew.
    private func reread(_ row: TableRow, of id: JobIdentifier, in rows: any RowKeeping) async throws -> LinkRenewal {
        do {
            guard let now = try await rows.current(row) else {
                return .none("Its row in \(row.table) does not hold it any more")
            }
            // The row is found and written to by the link that it holds.
            try await registry.update(id) { $0.origin = .row(now) }
            return .named(RemoteMedia(now.link, .unknown, deadline: Deadline(link: now.link)))
        } catch let refusal as Refusal {
            let words = "the row cannot be read: \(refusal)"
            if case .temporary = refusal.ending { return .unheard(words, asked: nil) }
            return .barred(words)
        }
    }
}
