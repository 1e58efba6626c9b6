import FoundationEssentials
import Queue
import Text

extension Rescuer {
    /// If the clock was set back since the last plan, makes everything due that waits for a time.
    ///
    /// By the clock as it is now, those waits would last longer by the same amount.
    func heedClock() async throws {
        let now = setup.clock()
        guard isSetBack(at: now) else { return }
        for job in await registry.open() { try await registry.update(job.id) { $0.endWaits(after: now) } }
    }

    /// Seconds: the longest step of the ladder, or a day if a server asked for that, and a fifth more by chance.
    var longestWait: Double { max(ladder.cap.seconds, 86_400) * 1.2 + DatedWait.correction }
}
