import Catalog
package import Queue
package import Records

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

extension Uploader {
    /// Takes the waiting and failed items of these files out of the queue, durably; returns them.
    package func withdraw(_ files: Set<RootedPath>) async throws -> [Item] {
        // A pass must not end between an item that is withdrawn and the one that becomes the probe of a limit instead.
        activity.begin(.record)
        defer { activity.end(.record) }
        let withdrawn = try await queue.withdraw { files.contains($0.file) }
        for item in withdrawn { try await replaceProbe(item) }
        try await countRoom(ending: withdrawn)
        return withdrawn
    }

    /// If `item`, which is not tried again, was the probe of a size limit, makes the next smallest item the probe.
    func replaceProbe(_ item: Item) async throws {
        if sender.limits.release(item) { try await probeCauses { $0.blocked == .tooLarge } }
    }
}
