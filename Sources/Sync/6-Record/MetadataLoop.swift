package import Catalog
package import Configuration
package import FoundationEssentials
package import Queue
package import Supabase
import Synchronization
import Text
import Transfer
package import Uploading

/// Beside stage 6, a loop: keeps a row for each stored original in the project's database, and no other.
///
/// The pending rows follow from receipts and a durable mark, so that a crash repeats rows and loses none. No stage
/// waits for this loop: a failure here only puts a sentence into the report.
package final class MetadataLoop: Sendable {
    private struct State {
        var failures = 0
        var nextTry: DatedWait?
        var isStopping = false
        /// The last sent receipt of those that were dated before the clock was set back.
        var ahead: MetadataMark?
    }

    private enum Step {
        case sent, failed, nothing
    }

    private let client: RestClient
    private let library: Library
    private let destination: Destination
    private let table: String
    private let ladder: RetryLadder
    private let activity: Activity
    private let wake: WakeEvent
    private let clock: @Sendable () -> Date
    private let state = Mutex(State())

    /// A loop that writes rows for `destination` to `table`; nothing is sent before `run`.
    package init(
        client: RestClient, library: Library, destination: Destination, table: String, ladder: RetryLadder,
        activity: Activity, wake: WakeEvent, clock: @escaping @Sendable () -> Date
    ) {
        self.client = client
        self.library = library
        self.destination = destination
        self.table = table
        self.ladder = ladder
        self.activity = activity
        self.wake = wake
        self.clock = clock
    }

    /// The name of the fact that says why rows wait; it is removed once rows arrive again.
    package static let troubleFact = "metadata.trouble"

    private var markFact: String { "metadata.mark \(table) \(destination.name)" }

    /// Sends rows until cancelled, or until `stop()` and nothing is left that could be sent.
    package func run() async throws {
        try await library.beginRows(of: destination.name)
        while true {
            try Task.checkCancellation()
            let wakeups = wake.wakeups
            let (isStopping, nextTry) = state.withLock { ($0.isStopping, $0.nextTry) }
            // Read before the library, so that no receipt can come after the last look.
            let isOver = isStopping && activity.snapshot.isQuiet
            if isStopping || nextTry.map({ $0.isOver(at: clock()) }) ?? true {
                switch try await sendNext() {
                case .sent: continue
                case .failed: if isStopping { return }
                case .nothing: if isOver { return }
                }
            }
            let due = state.withLock { $0.nextTry?.end }
            await wake.wait(after: wakeups, until: due, gathering: .milliseconds(100))
        }
    }

    /// Ends `run` once all receipts have rows, or at the next failure.
    package func stop() {
        state.withLock { $0.isStopping = true }
        wake.notify()
    }

    private func sendNext() async throws -> Step {
        let former = try await library.formerRows(of: destination.name)
        guard former.isEmpty else { return try await remove(former) }
        let now = clock()
        let batch = try await nextBatch(at: now)
        guard let next = batch.mark else { return .nothing }
        do throws(RestError) {
            try await client.upsert(batch.rows, into: table, on: ["bucket", "object_key"])
        } catch {
            try await fail(error)
            return .failed
        }
        if next.isAhead(of: now) {
            state.withLock { $0.ahead = next }
        } else {
            try await library.setFact(markFact, to: String(decoding: try JSONEncoder().encode(next), as: UTF8.self))
        }
        return try await succeed()
    }

    /// Removes the rows of objects that are stored no longer.
    private func remove(_ rows: [FormerRow]) async throws -> Step {
        let gone = rows.filter { !$0.isStored }
        if let last = gone.map(\.verifiedAt).max() {
            do throws(RestError) {
                // A request that was given up may arrive late: a row that was written again by then states a later time.
                try await client.delete(
                    from: table,
                    where: [
                        .equals("bucket", destination.bucket), .among("object_key", gone.map(\.key)),
                        .atMost("stored_at", ISO8601.text(last)),
                    ])
            } catch {
                try await fail(error)
                return .failed
            }
        }
        try await library.settle(rows, of: destination.name)
        return try await succeed()
    }

    private func succeed() async throws -> Step {
        state.withLock { ($0.failures, $0.nextTry) = (0, nil) }
        try await tell(nil)
        return .sent
    }

    /// The rows after the durable mark, then those of receipts that were dated before the clock was set back.
    ///
    /// Such a receipt never becomes the mark, because newer ones would be dated before it; each process sends it again.
    private func nextBatch(at now: Date) async throws -> MetadataBatch {
        let known = try await library.fact(markFact).flatMap {
            try? JSONDecoder().decode(MetadataMark.self, from: Data($0.utf8))
        }
        let mark = known.flatMap { $0.isAhead(of: now) ? nil : $0 }
        let batch = try await library.metadataBatch(destination, after: mark, by: now)
        guard batch.mark == nil else { return batch }
        // Once the clock was set right, what was sent is not ahead any more.
        let sent = state.withLock { $0.ahead }.flatMap { $0.isAhead(of: now) ? $0 : nil }
        return try await library.metadataBatch(destination, after: sent ?? MetadataMark(behind: now))
    }

    private func fail(_ error: RestError) async throws {
        try Task.checkCancellation()
        let failures = state.withLock { state in
            state.failures += 1
            return state.failures
        }
        let trouble = MetadataTrouble(
            error, table: table, failures: failures, ladder: ladder, random: .random(in: 0..<1))
        state.withLock { $0.nextTry = DatedWait(from: clock(), seconds: trouble.wait.seconds) }
        try await tell(trouble.sentence)
    }

    private func tell(_ trouble: String?) async throws {
        if try await library.fact(Self.troubleFact) != trouble {
            try await library.setFact(Self.troubleFact, to: trouble)
        }
    }
}
