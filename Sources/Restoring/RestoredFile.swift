package import Platform
package import Queue

/// What became of one object that was to be restored.
package struct RestoredFile: Hashable, Sendable {
    /// How restoring one object ended.
    package enum Outcome: Hashable, Sendable {
        /// It was fetched, checked and put in its place.
        case restored
        /// A dry run: it would be fetched.
        case planned
        /// A file with the same content is there; its time was set if it differed.
        case alreadyThere
        /// Nothing was written; the reason is a clause such as `a different file is there`.
        case refused(String)
        case failed(Item.Failure)
    }

    /// Where the object lies in the bucket.
    package let key: String
    /// `<root>/<path>` below the directory that is restored to; `nil` if that is not known.
    package let place: FilePath?
    /// Where it was to go, if something else has that name.
    let wanted: FilePath?
    /// Why this disk has it elsewhere; `nil` if storage has it under another name already.
    let conflict: RestoreConflict?
    /// Bytes.
    package let size: Int64
    /// When the file last changed, where that is known.
    let modifiedAt: FileTime?
    /// How restoring the object ended.
    package let outcome: Outcome
    /// Whether the object carries a SHA-256 of ours, so that the bytes were checked.
    package let isProven: Bool
    /// The directory on its path that may not be written to, if that is why it failed.
    package var closedFolder: FilePath?

    /// What became of the object under `key`; little else is known if the object was not reached.
    init(
        key: String, place: FilePath? = nil, size: Int64 = 0, modifiedAt: FileTime? = nil, isProven: Bool = true,
        outcome: Outcome, wanted: FilePath? = nil, conflict: RestoreConflict? = nil
    ) {
        self.key = key
        self.place = place
        self.size = size
        self.modifiedAt = modifiedAt
        self.isProven = isProven
        self.outcome = outcome
        self.wanted = wanted
        self.conflict = conflict
    }
}

extension RestoredFile {
    /// Its path for people, or its key.
    package var name: String { place?.display ?? key }
}
