import Catalog
package import Queue
package import Records
package import Supabase
import Sync

/// Everything that one comparison of the bucket with the receipts has found.
package struct Inspection: Sendable {
    /// Selects the objects that are downloaded, too; `nil` for none.
    let sample: Sample?
    /// Whether objects without a receipt are noted.
    let notesUnknown: Bool
    /// Whether objects that this computer stored, and that its library does not know, are asked about.
    var adopts = false
    /// Keys whose objects or files a download has found wrong before, so that they are downloaded once more.
    var doubted: Set<String> = []
    /// What is reported to the user.
    package var result = VerifyResult()
    /// Why the comparison ended early; `nil` for one that is complete.
    package var failure: StorageError?
    /// Objects to store again, with what the server holds under their keys; `nil` for nothing.
    package var lost: [(receipt: Receipt, held: ObjectInfo?)] = []
    /// Objects that hold the right content of a file, and have no receipt.
    package var unproven: [(key: ObjectKey, asset: Asset)] = []
    /// Objects that this computer stored, and that its library does not know.
    var orphans: [Orphan] = []
    /// Keys of receipts whose objects the server did not answer about, so that nothing is known of them.
    var unanswered: Set<String> = []
    /// Keys in the listing that have no receipt, and that this computer has written to.
    var attempted: Set<String> = []
    /// What reports show until it is repaired, or found in order.
    var discrepancies: [Discrepancy] = []

    init(sample: Sample?, notesUnknown: Bool = true) { (self.sample, self.notesUnknown) = (sample, notesUnknown) }

    /// Whether the object under `key` is downloaded, too.
    func isDownloaded(_ key: String) -> Bool { doubted.contains(key) || sample?.contains(key) == true }

    /// How a verification ends that repairs nothing.
    package var ending: Ending { result.troubled == 0 ? .done : .someFailed(result.troubled) }

    /// Adds that the server did not answer about the object of `receipt`, as while it is busy.
    mutating func add(unanswered receipt: Receipt, _ message: String) {
        result.add(.init(.unreadable, key: receipt.key.text, message: message))
        unanswered.insert(receipt.key.text)
    }

    /// Adds what is wrong with the object of `receipt`, or with its file.
    mutating func add(_ problem: VerifyResult.Problem, of receipt: Receipt, isDeep: Bool, _ message: String) {
        result.add(.init(problem, key: receipt.key.text, message: message))
        guard let kind = Discrepancy.Kind(rawValue: problem.rawValue),
            discrepancies.count < VerifyResult.findingLimit
        else { return }
        discrepancies.append(Discrepancy(kind, of: receipt, isDeep: isDeep))
    }
}
