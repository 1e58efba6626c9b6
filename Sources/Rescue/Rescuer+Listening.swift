import FoundationEssentials
import Providers
import Queue
import Synchronization

extension Rescuer {
    /// Listens for an event from the provider until the next question is due; an event makes it due now.
    ///
    /// Returns at once for a provider without events, and while all listener slots are taken.
    func listen(
        to provider: any Provider, about reference: JobReference, _ id: JobIdentifier, until due: Date
    ) async throws {
        guard provider.tellsNews, setup.clock() < due, listenerSlots.take() else { return }
        defer { listenerSlots.give() }
        // The question was answered, so callers that waited for that can go on.
        notify()
        let hasNews = await withTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask { await provider.news(of: reference) }
            group.addTask {
                await self.untilQuestion(about: id, due)
                return false
            }
            return await group.next() ?? false
        }
        try Task.checkCancellation()
        guard hasNews else { return }
        let now = setup.clock()
        try await registry.update(id) { $0.nextQuestionAt = now }
    }

    /// Returns when the question is due, or was moved to another time, such as by the user.
    private func untilQuestion(about id: JobIdentifier, _ due: Date) async {
        while !Task.isCancelled, setup.clock() < due {
            let wakeups = wake.wakeups
            guard let job = await registry.job(id), !job.isCancelled, job.nextQuestionAt == due else { return }
            await wake.wait(after: wakeups, until: due)
        }
    }
}

/// Limits how many jobs are listened to at once, so that questions about the others still run.
final class ListenerSlots: Sendable {
    private let free: Mutex<Int>

    init(_ count: Int) { free = Mutex(count) }

    /// Takes a slot; whether one was free.
    func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    func give() { free.withLock { $0 += 1 } }
}
