import FoundationEssentials
import Generating
import Platform
import Providers
import Queue
import Rescue
import Sync
import Text

extension Agent {
    /// Seconds between two requests for videos that were ordered elsewhere.
    private static let historyInterval = 300.0

    /// Asks every configured provider periodically for jobs that ended since the newest known one.
    ///
    /// A provider that cannot list jobs is asked once.
    func watchProviders() async throws {
        var lists = setup.rescue.providers
        while !watching.isStopping, !lists.isEmpty {
            if try await generator.resume() { rescuer.notify() }
            for (name, provider) in lists {
                var found: [JobReference] = []
                do throws(ProviderError) {
                    let now = setup.clock()
                    let since = Self.newest(of: name, in: await rescuer.registry.all(), now: now)
                    found = try await provider.finished(since: since)
                } catch {
                    if error.kind == .unsupported { lists[name] = nil }
                }
                try await follow(found)
            }
            try Task.checkCancellation()
            try await pauseLooks(for: Self.historyInterval)
        }
    }

    /// Waits for the next look, even if `upkeep` is notified for another reason before.
    func pauseLooks(for seconds: Double) async throws {
        let wait = DatedWait(from: setup.clock(), seconds: seconds)
        while !watching.isStopping, !wait.isOver(at: setup.clock()) {
            let wakeups = upkeep.wakeups
            try Task.checkCancellation()
            if watching.isStopping { return }
            await upkeep.wait(after: wakeups, until: wait.end)
        }
    }

    private func follow(_ found: [JobReference]) async throws {
        guard !found.isEmpty else { return }
        let jobs = found.map { Job($0, addedAt: setup.clock()) }
        let news = try await rescuer.registry.add(jobs).count { $0 == .new }
        guard news > 0 else { return }
        setup.log.info("\(Quantity.text(news, "finished job")) found at providers")
        rescuer.notify()
    }

    /// Seconds of history that the first request covers.
    private static let firstLook = 7 * 86_400.0

    /// The start of the next listing: an hour before the newest known job, because ends may be listed late.
    ///
    /// A time in the future comes from a clock that was wrong there; from such a time on, nothing would be listed.
    static func newest(of provider: ProviderName, in jobs: [Job], now: Date) -> Date {
        let known = jobs.filter { $0.reference?.provider == provider }.compactMap { $0.endedAt ?? $0.createdAt }
        return known.filter { $0 <= now + 3_600 }.max().map { $0 - 3_600 } ?? now - firstLook
    }
}
