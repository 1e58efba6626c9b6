package import Catalog
package import Configuration
package import FoundationEssentials
import Metadata
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
        let batch = try await library.metadataBatch(destination, in: table)
        guard !batch.receipts.isEmpty else { return .nothing }
        do throws(RestError) {
            try await client.upsert(batch.rows, into: table, on: ["bucket", "object_key"])
        } catch {
            try await fail(error)
            return .failed
        }
        try await library.settle(batch, destination, in: table)
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
