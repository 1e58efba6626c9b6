package import FoundationEssentials
package import Queue

/// What a verification found wrong with an object that has a receipt, or with its file.
package struct Discrepancy: Hashable, Sendable {
    /// What is wrong; the words stand in the library.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// It is not there.
        case missing
        /// The key holds another object, or the object has other bytes.
        case different
        /// It is there, but cannot be downloaded.
        case unreadable
        /// The file on this disk has other bytes than before, although its time is the same.
        case damaged
    }

    /// The receipt's key.
    package let key: ObjectKey
    /// The item that earned the receipt; bytes that were stored again since then have another item.
    package let item: ItemIdentifier
    /// What is wrong.
    package let kind: Kind
    /// Whether only a download, or a look at the file, shows it.
    package let isDeep: Bool

    /// A discrepancy between the object, or the file, and `receipt`.
    package init(_ kind: Kind, of receipt: Receipt, isDeep: Bool) {
        (key, item) = (receipt.key, receipt.item)
        self.kind = kind
        self.isDeep = isDeep
    }
}

/// How many discrepancies still stand.
package struct DiscrepancyCounts: Hashable, Sendable {
    /// Objects, or files, by what is wrong with them.
    package var byKind: [Discrepancy.Kind: Int] = [:]
    /// Whether some of them are shown by a download only.
    package var isDeep = false
    /// When the newest was found; `nil` where there is none.
    package var foundAt: Date?

    /// No discrepancies.
    package init() {}
}
