package import Audit
package import Catalog
import Configuration
package import FoundationEssentials
package import Queue
import Records
import Synchronization
import Text
package import Uploading

/// Stage 6 as a loop: gathers what was accepted, and proves it in batches.
///
/// A batch closes when it is full, when nothing is being sent, or when its oldest member has waited long enough.
package final class RecordLoop: Sendable {
    struct Inbox {
        var accepted: [Accepted] = []
        /// Until when the batch may gather; `nil` if it is empty.
        var wait: DatedWait?
        var isStopping = false
    }

    private let recorder: Recorder
    private let queue: UploadQueue
    private let library: Library
    private let audit: AuditLog
    private let activity: Activity
    private let wake: WakeEvent
    private let clock: @Sendable () -> Date
    private let inbox = Mutex(Inbox())

    /// Items one listing can prove.
    static let batchSize = VerificationPlan.pageSize
    /// Seconds that an accepted item waits for others to join its batch.
    static let patience = 2.0

    /// A loop that proves items with `recorder`; nothing is asked before `run`.
    package init(
        recorder: Recorder, queue: UploadQueue, library: Library, audit: AuditLog, activity: Activity, wake: WakeEvent,
        clock: @escaping @Sendable () -> Date
    ) {
        self.recorder = recorder
        self.queue = queue
        self.library = library
        self.audit = audit
        self.activity = activity
        self.wake = wake
        self.clock = clock
    }

    /// Takes an item whose bytes the server has accepted.
    package func add(_ accepted: Accepted) {
        let now = clock()
        activity.begin(.record)
        let isAwaited = inbox.withLock { inbox in
            inbox.accepted.append(accepted)
            defer { inbox.wait = inbox.wait ?? DatedWait(from: now, seconds: Self.patience) }
            // The first item decides when the batch closes.
            return inbox.wait == nil || inbox.accepted.count >= Self.batchSize
        }
        if isAwaited || !activity.isSending { wake.notify(.recording) }
    }

    /// Records until cancelled, or until `stop()` and nothing is left.
    ///
    /// - Parameters:
    ///   - heard: Called with the failures of requests for proof, because they tell about the destination, too.
    ///   - mended: Called with each cause of failure that is removed.
    package func run(
        heard: @Sendable (UploadOutcome) async throws -> Void, mended: @Sendable (Cause) async throws -> Void
    ) async throws {
        while true {
            let wakeups = wake.wakeups(heardBy: .recording)
            let isIdle = !activity.isSending
            let now = clock()
            let (batch, isOver) = inbox.withLock { $0.take(isIdle: isIdle, at: now) }
            if isOver { return }
            if !batch.isEmpty {
                try await record(batch, heard, mended)
                continue
            }
            try Task.checkCancellation()
            let due = inbox.withLock { $0.wait?.end }
            if isIdle {
                await wake.wait(after: wakeups, as: .recording, until: due)
            } else {
                await wake.wait(after: wakeups, as: .recording, until: due, gathering: .milliseconds(20))
            }
        }
    }

    /// Ends `run` once everything accepted is proven.
    package func stop() {
        inbox.withLock { $0.isStopping = true }
        wake.notify()
    }

    private func record(
        _ batch: [Accepted], _ heard: @Sendable (UploadOutcome) async throws -> Void,
        _ mended: @Sendable (Cause) async throws -> Void
    ) async throws {
        defer { activity.end(.record, count: batch.count) }
        let result = try await recorder.record(batch) { [activity, wake] in
            // A batch may take many requests, so each item shows that this loop does not hang.
            wake.wakeups(heardBy: .recording)
            activity.events.note($0)
        }
        for trouble in result.troubles { try await heard(trouble) }
        try await audit.note(.stored, result.stored.filter { !result.moved.contains($0.id) }, at: clock())
        try await audit.note(.moved, result.stored.filter { result.moved.contains($0.id) }, at: clock())
        for cause in Set(result.stored.compactMap(\.cause)) { try await mended(cause) }
        for (item, _) in result.notStored {
            if let next = await queue.item(item.id), next.status == .failed {
                if let failure = next.lastError { activity.events.note(FileEvent(next, .failed(failure))) }
                try await library.settle(failed: next)
            }
        }
    }
}

extension RecordLoop.Inbox {
    /// The next batch, which is empty while it gathers, and whether none will follow.
    mutating func take(isIdle: Bool, at now: Date) -> (batch: [Accepted], isOver: Bool) {
        guard let wait else { return ([], isStopping && isIdle) }
        guard accepted.count >= RecordLoop.batchSize || isIdle || wait.isOver(at: now) else { return ([], false) }
        let batch = Array(accepted.prefix(RecordLoop.batchSize))
        accepted.removeFirst(batch.count)
        self.wait = accepted.isEmpty ? nil : DatedWait(from: now, seconds: RecordLoop.patience)
        return (batch, false)
    }
}
