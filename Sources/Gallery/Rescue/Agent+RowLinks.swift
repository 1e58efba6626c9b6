import Configuration
import FoundationEssentials
import Queue
import Rescue
import Supabase
import Sync
import Text

extension Agent {
    /// While watching: renews the signed links in rows before they end.
    func tendRowLinks() async throws {
        guard setup.rescue.rows != nil else { return }
        var isTold = false
        while !watching.isStopping {
            let wakeups = upkeep.wakeups
            var next: Date
            do {
                next = try await rescuer.renewRowLinks()
                isTold = false
            } catch let error as StorageError {
                try Task.checkCancellation()
                if !isTold {
                    setup.log.warning("Links in rows cannot be renewed, which is tried again until they are: \(error)")
                }
                isTold = true
                next = setup.clock() + min(300, setup.settings.rescue.table.linkTime.seconds / 8)
            }
            try Task.checkCancellation()
            await upkeep.wait(after: wakeups, until: next)
        }
    }
}
