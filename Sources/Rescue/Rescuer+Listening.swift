import FoundationEssentials
import Providers
import Queue
import Synchronization

extension Rescuer {
    /// Listens to a provider that tells of ends by itself, until the next question is due, which it may bring forward.
    func listen(
        to provider: any Provider, about reference: JobReference, _ id: JobIdentifier, until due: Date
    ) async throws {
        guard provider.tellsNews, setup.clock() < due, listenerSlots.take() else { return }
        defer { listenerSlots.give() }
        // The question has been answered; whoever waited for that goes on.
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
        try await book.update(id) { $0.nextQuestionAt = now }
    }

    /// Returns when the question is due, or is to come at another time: the user may want it now.
    private func untilQuestion(about id: JobIdentifier, _ due: Date) async {
        while !Task.isCancelled, setup.clock() < due {
            let wakeups = wake.wakeups
            guard let job = await book.job(id), !job.isCancelled, job.nextQuestionAt == due else { return }
            await wake.wait(after: wakeups, until: due)
        }
    }
}

/// How many providers may be listened to at once, so that there are questions left for the others.
final class ListenerSlots: Sendable {
    private let free: Mutex<Int>

    init(_ count: Int) { free = Mutex(count) }

    /// Whether one was free.
    func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    func give() { free.withLock { $0 += 1 } }
}
