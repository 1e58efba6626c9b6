import Platform
import Synchronization

/// How many assets are being read, and whether more may be taken.
final class ReadingSlots: Sendable {
    struct State {
        var inHand = 0
        var largeInHand = 0
        var isStopping = false
        /// What the library was when it had nothing to read.
        var emptyAt: Int?
    }

    let state = Mutex(State())

    func stop() { state.withLock { $0.isStopping = true } }
    var isIdle: Bool { state.withLock { $0.inHand == 0 } }
}

extension Agent {
    /// Assets in the hands of the stages from Identify to Enqueue at once.
    private var readingSlots: Int {
        setup.workers == nil ? 32 : 16
    }

    /// Stages 2 to 4 as a loop: takes from the library as far ahead as the queue's window has room.
    func read() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let rings = bell.rings
                try await tendBlocked()
                let batch = try await nextBatch()
                for asset in batch {
                    begin(asset)
                    group.addTask {
                        defer { self.end(asset) }
                        try await self.pipeline.process(asset)
                    }
                }
                if !batch.isEmpty { continue }
                try await decideBrake()
                if reading.state.withLock({ $0.isStopping && $0.inHand == 0 }) { return }
                try Task.checkCancellation()
                await bell.wait(after: rings)
            }
        }
    }

    /// Keeps what is blocked from filling the queue's window, and brings back what is free again.
    private func tendBlocked() async throws {
        guard !reading.state.withLock({ $0.isStopping }) else { return }
        try await blocked.makeRoom()
        if try await blocked.bringBack(now: setup.clock()) > 0 { bell.ring() }
    }

    /// What the free slots take: always one large file, the rest in upload order.
    private func nextBatch() async throws -> [Asset] {
        let revision = library.revision
        let (free, wantsLarge) = reading.state.withLock { state in
            state.isStopping || state.emptyAt == revision
                ? (0, false) : (readingSlots - state.inHand, state.largeInHand == 0)
        }
        // Half of the slots at a time: one look at the library for several files.
        guard free >= readingSlots / 2, await queue.count().unblocked < blocked.window else { return [] }
        let isScanned = activity.snapshot.scanning == 0
        var batch = wantsLarge ? try await library.take(1, .largeFirst, suspects: isScanned) : []
        if free > batch.count { batch += try await library.take(free - batch.count, suspects: isScanned) }
        if batch.isEmpty, isScanned { reading.state.withLock { $0.emptyAt = revision } }
        return batch
    }

    private func begin(_ asset: Asset) {
        reading.state.withLock { state in
            state.inHand += 1
            if asset.rank.isLarge { state.largeInHand += 1 }
        }
    }

    private func end(_ asset: Asset) {
        reading.state.withLock { state in
            state.inHand -= 1
            if asset.rank.isLarge { state.largeInHand -= 1 }
        }
        bell.ring()
    }
}
