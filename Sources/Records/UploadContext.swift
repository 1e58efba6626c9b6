package import MediaModel
package import Queue

/// What the library knows of an item that is about to be sent.
package struct UploadContext: Sendable {
    /// A move that may have taken place, to be settled before anything else here counts.
    package let unsettledMove: Move?
    /// The receipt for the item's own key, if there is one.
    package let receipt: Receipt?
    /// Whether the receipt completes the item.
    package let isProven: Bool
    /// Whether its object may be there, though no receipt proves so: it has none, or a later request may have changed the
    /// object since.
    package let mayBeThere: Bool
    /// The other file that the object under the item's own key keeps stored, if there is one.
    package let otherFile: Asset?
    /// Objects that may be moved or copied instead of sending the bytes.
    package let duplicates: [Duplicate]
    /// What is known of its content.
    package let facts: MediaFacts?
    /// Whether its file was left out since, by an order or a rule, or is not there any more.
    package let isLeftOut: Bool
    /// Whether its user has named its file, or the file is stored: then it is sent of a root that is only indexed, too.
    package let isAsked: Bool

    /// Whether nothing of ours is under the item's key, and nothing holds its bytes.
    package var isNew: Bool { receipt == nil && duplicates.isEmpty }

    /// What one look at the library found.
    package init(
        unsettledMove: Move?, receipt: Receipt?, isProven: Bool, mayBeThere: Bool, otherFile: Asset?,
        duplicates: [Duplicate], facts: MediaFacts?, isLeftOut: Bool, isAsked: Bool
    ) {
        self.unsettledMove = unsettledMove
        self.receipt = receipt
        self.isProven = isProven
        self.mayBeThere = mayBeThere
        self.otherFile = otherFile
        self.duplicates = duplicates
        self.facts = facts
        self.isLeftOut = isLeftOut
        self.isAsked = isAsked
    }
}
