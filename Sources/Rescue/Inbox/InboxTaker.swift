package import FoundationEssentials
package import Providers
import Supabase
import Text

/// Takes jobs from the inbox into the registry, and tells the inbox what became of them.
///
/// A row stays in the inbox until its job is durable here, and ends only once its files are stored: a crash at any
/// point leaves a claim that this computer goes on with, or that expires for another one.
package struct InboxTaker: Sendable {
    let inbox: any InboxKeeping
    let registry: JobRegistry
    let policy: PollingPolicy
    let clock: @Sendable () -> Date

    /// A taker that adds jobs to `registry`.
    package init(
        _ inbox: any InboxKeeping, registry: JobRegistry, policy: PollingPolicy, clock: @escaping @Sendable () -> Date
    ) {
        self.inbox = inbox
        self.registry = registry
        self.policy = policy
        self.clock = clock
    }

    /// Seconds for which a row is claimed; it is renewed at half of them.
    static let lease = 600
    /// Rows that one claim takes at most.
    static let batch = 10
}

extension InboxTaker {
    /// Settles the rows that are held, then claims waiting ones; returns how many jobs are new to look after.
    ///
    /// Throws `RestError`; what was done until then stays. A row that is refused stops no other: the refusal is
    /// reported once there are no new jobs.
    package func pass() async throws -> Int {
        let refusal = try await forEachHeld { try await settle($0) }
        let begin = clock()
        let rows = try await inbox.claim(Self.batch, for: Self.lease)
        guard !rows.isEmpty else {
            if let refusal { throw refusal }
            return 0
        }
        // Counted from before the request, because the inbox's lease cannot have begun earlier.
        let until = begin + Double(Self.lease)
        let offers = rows.map { row in
            var job = row.job(policy: policy, at: begin)
            job.inbox = InboxClaim(token: row.token, until: until, isSole: true)
            return job
        }
        for (offer, admission) in zip(offers, try await registry.add(offers)) {
            guard case .known = admission else { continue }
            try await registry.update(offer.id) { $0.claimed(by: offer) }
        }
        return rows.count
    }

    /// Does `act` for each job with a claim; returns the first answer that refuses it.
    ///
    /// If there is no answer, the other jobs would get none either, so that error is thrown at once.
    private func forEachHeld(_ act: (Job) async throws -> Void) async throws -> RestError? {
        var first: RestError?
        for job in await registry.all() where job.inbox != nil {
            do {
                try await act(job)
            } catch let error as RestError {
                guard error.refusal != nil else { throw error }
                first = first ?? error
            }
        }
        return first
    }

    /// Ends the row of a job that has ended, and renews the claim on one that goes on.
    private func settle(_ job: Job) async throws {
        guard let claim = job.inbox else { return }
        if job.isStored || job.isSettled {
            // Another computer that has taken the row since finds the same object under the same key.
            _ = try await inbox.finish(claim.token, key: job.isStored ? job.files.first?.objectKey : nil)
            try await registry.update(job.id) { if $0.inbox == claim { $0.inbox = nil } }
            return
        }
        let (now, lease) = (clock(), Double(Self.lease))
        guard DatedWait(from: claim.until - lease, seconds: lease / 2).isOver(at: now) else { return }
        let isHeld = try await inbox.renew(claim.token, for: Self.lease)
        try await registry.update(job.id) { job in
            guard job.inbox == claim else { return }
            if isHeld {
                job.inbox?.until = now + lease
            } else {
                job.lost(claim)
            }
        }
    }

    /// Gives back the rows of which nothing has arrived, so that other computers need not wait.
    package func giveBack() async throws {
        let refusal = try await forEachHeld { job in
            guard let claim = job.inbox, !job.isSettled, job.files.allSatisfy({ $0.received == 0 && !$0.isSafe })
            else { return }
            _ = try await inbox.renew(claim.token, for: 1)
            try await registry.update(job.id) { $0.inbox?.until = clock() }
        }
        if let refusal { throw refusal }
    }
}

extension Job {
    /// Takes over the claim of `offer`, which is the same job; if it had failed or was left, it is tried again.
    ///
    /// If the user gave the job up, it stays so, and its row is ended with the next pass.
    fileprivate mutating func claimed(by offer: Job) {
        guard let claim = offer.inbox else { return }
        let isSole = inbox?.isSole ?? (isCancelled && isLeft == true)
        if !isCancelled || isLeft == true { self = requested(with: offer).informed(by: offer) }
        inbox = InboxClaim(token: claim.token, until: claim.until, isSole: isSole)
        isLeft = nil
    }

    /// Another computer has the row now: files on this disk are stored, and the rest is left to that computer.
    fileprivate mutating func lost(_ claim: InboxClaim) {
        inbox = nil
        guard claim.isSole, !files.contains(where: \.isSafe) else { return }
        isCancelled = true
        isLeft = true
    }
}
