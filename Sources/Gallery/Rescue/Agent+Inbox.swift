import Cleansing
import FoundationEssentials
import Queue
import Rescue
import Supabase
import Sync
import Text

extension Agent {
    /// Seconds between two looks into the inbox.
    private static let inboxInterval = 60.0

    /// While watching: takes what webhooks left in the inbox, and tells the inbox what became of it.
    func tend(_ inbox: any InboxKeeping) async throws {
        let taker = InboxTaker(inbox, registry: rescuer.registry, policy: setup.rescue.polling, clock: setup.clock)
        var isTold = false
        while !watching.isStopping {
            do {
                if try await taker.pass() > 0 { rescuer.notify() }
                isTold = false
            } catch let error as RestError {
                try Task.checkCancellation()
                if !isTold { setup.log.warning("The inbox gives no jobs, which is tried again each minute: \(error)") }
                isTold = true
            }
            try await pauseLooks(for: Self.inboxInterval)
        }
        do {
            try await taker.giveBack()
        } catch let error as RestError {
            setup.log.debug("Claims on the inbox run out by themselves: \(error)")
        }
    }
}
