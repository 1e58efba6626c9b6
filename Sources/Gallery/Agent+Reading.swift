import Catalog
import Configuration
import Platform
import Queue
import Sync
import Synchronization
import Uploading

/// How many assets are being read, and whether more may be taken.
final class ReadingSlots: Sendable {
    struct State {
        var inHand = 0
        var largeInHand = 0
        /// Those in hand, and those that wait for another try.
        var places: Set<Asset.Place> = []
        var isStopping = false
        /// The library's revision when it had nothing to read.
        var emptyAt: Int?
        /// Failed tries of assets that are to be retried.
        var failures: [Asset.Place: Int] = [:]
    }

    let state = Mutex(State())

    func stop() { state.withLock { $0.isStopping = true } }
    func letGo(of place: Asset.Place) { state.withLock { _ = $0.places.remove(place) } }
    func forget(_ place: Asset.Place) { state.withLock { $0.failures[place] = nil } }

    /// Counts a failed try; the number so far.
    func countFailure(of place: Asset.Place) -> Int {
        state.withLock { state in
            state.failures[place, default: 0] += 1
            return state.failures[place, default: 1]
        }
    }

    var isIdle: Bool { state.withLock { $0.inHand == 0 } }
}

extension Agent {
    /// Assets that are read at once, unless open files limit it.
    static func readingSlots(hasWorkers: Bool) -> Int { hasWorkers ? 16 : 32 }

    /// Stages 2 to 4 as a loop: takes assets from the library while the queue's window has room.
    func read() async throws {
        let failure = ChildFailure(waking: wake)
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let wakeups = wake.wakeups(heardBy: .reading)
                try failure.check()
                try await tendBlocked()
                let batch = try await nextBatch()
                for asset in batch {
                    begin(asset)
                    group.addTask {
                        await failure.heed { try await self.take(asset) }
                        self.reading.letGo(of: asset.place)
                    }
                }
                if !batch.isEmpty { continue }
                try await decideBrake()
                if reading.state.withLock({ $0.isStopping && $0.inHand == 0 }) {
                    // Assets that are backing off are read by the next run.
                    group.cancelAll()
                    return
                }
                try Task.checkCancellation()
                await wake.wait(after: wakeups, as: .reading)
            }
        }
    }

    /// Takes one asset through its stages; after a retryable failure it backs off without a slot.
    private func take(_ asset: Asset) async throws {
        let failure: Item.Failure?
        do {
            defer { end(asset) }
            failure = try await pipeline.process(asset)
        }
        guard let failure else { return reading.forget(asset.place) }
        guard let pause = pause(after: reading.countFailure(of: asset.place)) else {
            reading.forget(asset.place)
            try await pipeline.settle(asset, unreadable: failure)
            return wake.notify()
        }
        // The run ends: the asset stays `identifying`, which the next start makes `seen`.
        guard (try? await Task.sleep(for: pause)) != nil else { return }
        try await library.settle(asset, as: .changed)
        wake.notify()
    }

    /// The backoff after so many tries; `nil` if the next try would be too late for this run.
    private func pause(after failures: Int) -> Duration? {
        let settings = setup.settings
        let patience = watching.isOn ? settings.scan.interval : settings.sync.patience
        let pause = RetryLadder(settings.retry).delay(after: failures, random: .random(in: 0..<1))
        return pause.flatMap { $0 <= patience ? $0 : nil }
    }

    /// Moves blocked items out of the queue's window, and brings back those that are no longer blocked.
    private func tendBlocked() async throws {
        guard !reading.state.withLock({ $0.isStopping }) else { return }
        try await blocked.makeRoom()
        if try await blocked.bringBack(now: setup.clock()) > 0 { wake.notify() }
    }

    /// The assets for the free slots: one large file if none is in hand, the rest in upload order.
    private func nextBatch() async throws -> [Asset] {
        let revision = library.revision
        let (free, wantsLarge) = reading.state.withLock { state in
            state.isStopping || state.emptyAt == revision
                ? (0, false) : (readingSlots - state.inHand, state.largeInHand == 0)
        }
        guard isEnough(free), await queue.count().unblocked < blocked.window else { return [] }
        try await library.readAgainAfterRollback(besides: reading.state.withLock(\.places))
        let isScanned = !activity.isScanning
        var batch = wantsLarge ? try await library.take(1, .largeFirst, suspects: isScanned) : []
        if free > batch.count { batch += try await library.take(free - batch.count, suspects: isScanned) }
        if batch.isEmpty, isScanned { reading.state.withLock { $0.emptyAt = revision } }
        return batch
    }

    private func begin(_ asset: Asset) {
        reading.state.withLock { state in
            state.inHand += 1
            state.places.insert(asset.place)
            if asset.rank.isLarge { state.largeInHand += 1 }
        }
    }

    private func end(_ asset: Asset) {
        let inHand = reading.state.withLock { state in
            state.inHand -= 1
            if asset.rank.isLarge { state.largeInHand -= 1 }
            return state.inHand
        }
        if inHand == 0 { wake.notify() } else if isEnough(readingSlots - inHand) { wake.notify(.reading) }
    }

    /// Whether `free` slots are worth a query: at least half of them, so that one query serves several files.
    private func isEnough(_ free: Int) -> Bool { free >= max(1, readingSlots / 2) }
}
