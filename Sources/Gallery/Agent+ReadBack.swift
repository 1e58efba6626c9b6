import Catalog
import FoundationEssentials
import Queue
import Reconciling
import Records
import Sync
import Uploading

extension Agent {
    /// Reads back objects that are proven by size only; those with other bytes are sent again.
    ///
    /// - Returns: How many objects had other bytes.
    func readBackOnce() async throws -> Int {
        let repair = ObjectRepair(reconciling)
        var count = 0
        try await readBack.run { receipt, times in
            count += 1
            try await repair.disprove(receipt, times: times)
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
}
