import Catalog
import Queue

extension Uploader {
    /// Tells the library what the queue decided.
    func settle(_ item: Item, _ next: Item?, _ outcome: UploadOutcome) async throws {
        switch (outcome, next?.status) {
        case (.withdrawn, _),
            (_, .pending) where outcome.isUnsteady:
            // Noted again: a run that made the same picture may have found this item in the queue and counted on it.
            if outcome == .withdrawn { try await sender.losePicture(of: item) }
            try await sender.lookAgain(at: item, now: clock())
        case (.verified, _): try await library.settle(stored: item)
        case (_, .failed): try await library.settle(failed: next ?? item)
        // A failed item was tried again, daily or because its cause is gone, and now something else is in the way.
        case (_, .pending): try await library.waitAgain(item)
        default: break
        }
    }
}
