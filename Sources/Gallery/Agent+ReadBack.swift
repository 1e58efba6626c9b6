import Audit
import Catalog
import FoundationEssentials
import Queue
import Records
import Sync
import Text
import Uploading

extension Agent {
    /// Reads back objects that are proven by size only; those with other bytes are sent again.
    ///
    /// - Returns: How many objects had other bytes.
    func readBackOnce() async throws -> Int {
        var count = 0
        try await readBack.run { receipt, times in
            count += 1
            try await self.disprove(receipt, times: times)
        }
        return count
    }

    /// While watching: reads back what was stored, whenever the agent is idle.
    func tendProofs() async throws {
        guard readBack.isWanted else { return }
        var looked = -1
        while !watching.isStopping {
            let wakeups = wake.wakeups
            if activity.snapshot.isQuiet, library.revision != looked {
                looked = library.revision
                if try await readBackOnce() > 0 { wake.notify() }
            }
            try Task.checkCancellation()
            await wake.wait(after: wakeups, gathering: .milliseconds(200))
        }
    }

    /// Wrong answers after which an object is not sent again: something changes it, and a person is needed.
    private static let readBackLimit = 2

    private func disprove(_ receipt: Receipt, times: Int) async throws {
        var failure: Item.Failure?
        if times >= Self.readBackLimit {
            let message =
                "\(receipt.key.text) was sent \(times) times, and each time other bytes came back: something on the way, "
                + "or the server, changes them"
            failure = Item.Failure(code: .verify(.readBack), message: message, retryable: false)
        }
        try await audit.noteDamaged(receipt, at: setup.clock())
        try await library.disprove(receipt, failure: failure)
        _ = budget.shrink(by: receipt.size)
        setup.log.warning("\(receipt.key.text) came back with other bytes than were sent")
        if failure == nil { wake.notify() }
    }
}
