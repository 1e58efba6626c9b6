package import FoundationEssentials
package import Queue

/// Everything that was written down about one file.
package struct FileRecord: Hashable, Sendable {
    /// The asset in its present state.
    package let asset: Asset
    /// When a scan found it, or last found it changed.
    package let found: Date
    /// What is odd about it.
    package let note: String?
    /// What kind of failure was met last; `nil` where none was.
    package let code: FailureCode?
    /// The sentence that came with it; `nil` where `code` is.
    package let message: String?
    /// What became of its thumbnails.
    package let pictures: Asset.Pictures
    /// The receipts earned by it: its original's first, in each role that of its present bytes.
    ///
    /// Further ones of a role are of older bytes, newest first.
    package let receipts: [Receipt]
    /// What belongs to it, and what it belongs to.
    package let companions: [Companion]
    /// What a verification found wrong, by the key of the object.
    package var findings: [ObjectKey: Discrepancy.Kind] = [:]

    /// What one look at the library found.
    package init(
        asset: Asset, found: Date, note: String?, code: FailureCode?, message: String?, pictures: Asset.Pictures,
        receipts: [Receipt], companions: [Companion], findings: [ObjectKey: Discrepancy.Kind] = [:]
    ) {
        self.asset = asset
        self.found = found
        self.note = note
        self.code = code
        self.message = message
        self.pictures = pictures
        self.receipts = receipts
        self.companions = companions
        self.findings = findings
    }
}
