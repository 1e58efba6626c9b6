import Configuration
package import FoundationEssentials
import Text

extension Rescuer {
    /// Why no row can be told about its file; `nil` if nothing is in the way.
    ///
    /// Throws `StorageError` if the bucket gives no clear answer.
    package func rowRefusal() async throws -> String? { try await setup.links.refusal() }

    /// Writes the link to a stored file into its row.
    func tell(_ place: JobPlace) async throws {
        guard let rows = setup.sources.rows, let (job, file) = await look(place), let row = job.row else { return }
        let outcome =
            switch try await link(to: file, in: row, place) {
            case .link(let link): await rows.write(link, to: row)
            case .none(let reason): reason
            }
        try Task.checkCancellation()
        let now = setup.clock()
        try await change(place) { $0.told(outcome, at: now) }
        if case .left(let reason) = outcome {
            setup.log.info("\(job.id.rawValue): its row in \(row.table) is left as it is: \(reason)")
        }
    }

    /// A signed link is durable before it is written, because the row is found again by the links that it may hold.
    private func link(to file: JobFile, in row: TableRow, _ place: JobPlace) async throws -> RowLinker.Answer {
        if let known = file.rowLink, !known.isDue(at: setup.clock()) { return .link(known) }
        let answer = await setup.links.link(to: file)
        try Task.checkCancellation()
        guard case .link(let made) = answer else { return answer }
        let link = made.following(file.rowLink, in: row)
        if link.term != nil || file.rowLink != nil { try await change(place) { $0.rowLink = link } }
        return .link(link)
    }
}

// MARK: - Links that end

extension Rescuer {
    /// Makes new links for rows whose links end soon; returns when to look next.
    ///
    /// They are signed together and recorded; the rescue loop then writes each into its row, also after a restart. Throws
    /// `StorageError` where they cannot be signed now.
    package func renewRowLinks() async throws -> Date {
        let now = setup.clock()
        let kept = await registry.all().flatMap { job in
            job.files.indices.filter { job.files[$0].keepsRowLink }.map { (job, $0) }
        }
        let due = kept.filter { job, index in job.files[index].rowLink?.isDue(at: now) == true }
        let later = kept.compactMap { job, index in job.files[index].rowLink?.term?.renewal }.filter { $0 > now }.min()
        // A link that is written meanwhile is due after a quarter of its time at the earliest.
        let next = min(later ?? .distantFuture, now + setup.settings.rescue.table.linkTime.seconds / 4)
        guard !due.isEmpty else { return next }
        let answers = try await setup.links.links(to: due.map { job, index in job.files[index] })
        try Task.checkCancellation()
        for ((job, index), answer) in zip(due, answers) {
            try await change(JobPlace(job.id, index)) { $0.renew(answer, of: job, at: now) }
        }
        setup.log.debug("\(Quantity.text(due.count, "link")) in rows renewed")
        notify()
        return next
    }
}

extension JobFile {
    /// Notes the new link that its row is to get, or why there is none.
    fileprivate mutating func renew(_ answer: RowLinker.Answer, of job: Job, at now: Date) {
        // The row's outcome may have changed meanwhile.
        guard keepsRowLink, let row = job.row else { return }
        switch answer {
        case .link(let link):
            rowLink = link.following(rowLink, in: row)
            self.row = nil
        case .none(let reason): told(reason, at: now)
        }
    }

    /// Notes the outcome of updating its row; `waiting` backs off up to a quarter of an hour.
    mutating func told(_ outcome: RowOutcome, at now: Date) {
        row = outcome
        switch outcome {
        case .written: rowLink = rowLink?.written
        case .left: rowLink = nil
        case .waiting:
            misses += 1
            nextAttemptAt = now + min(900, 2.5 * Double(1 << min(misses, 10)))
            return
        }
        misses = 0
        nextAttemptAt = nil
    }
}
