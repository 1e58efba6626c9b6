import Catalog
import FoundationEssentials
import Queue
import Records
import Supabase
import Text
import Uploading

// Objects that another computer stored, and that count for files here, too: it may delete or move them, and tells no one.
extension Agent {
    /// Seconds between two looks.
    private static let sharedInterval = 86_400.0

    /// Once a day, has files sent whose objects have gone or changed since they were found stored.
    ///
    /// Only where an object of another computer ever counted for a file here. More than the brake lets pass are only
    /// told, as after `verify`. A storage that does not answer is asked again later.
    func askForShared() async throws {
        let now = setup.clock()
        guard let last = try await library.sharedAskedAt(),
            DatedWait(from: last, seconds: Self.sharedInterval).isOver(at: now)
        else { return }
        var inspection = Inspection(sample: nil, notesUnknown: false)
        do {
            try await compare(&inspection)
        } catch let error as StorageError {
            return setup.log.debug("What another computer stored was not asked for: \(error)")
        }
        inspection.result.isComplete = true
        try await remember(inspection)
        try await library.noteShared(at: now)
        let stored = try await library.counts().stored
        guard !inspection.lost.isEmpty, !Brake.holds(changed: inspection.lost.count, of: stored) else { return }
        var result = VerifyResult()
        for (receipt, held) in inspection.lost {
            let isTheirs = held.map { uploader.sender.otherComputer(of: $0) != nil } ?? true
            guard isTheirs, try await sendableAsset(of: receipt) != nil else { continue }
            try await mend(receipt, held, at: now, &result)
        }
        guard result.queued > 0 else { return }
        setup.log.info("\(Quantity.text(result.queued, "object")) that another computer stored went: stored again")
        try await library.commit()
        wake.notify()
    }
}
