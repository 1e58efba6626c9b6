package import FoundationEssentials

/// Objects whose files are gone, and what became of them.
package struct PruneResult: Codable, Hashable, Sendable {
    /// One object that we stored.
    package struct Object: Codable, Hashable, Sendable {
        /// The deleted file, as its root's name and the path below.
        package let path: String
        /// Its key in the bucket.
        package let key: String
        /// `original`, or `thumbnail-<size>`.
        package let role: String
        /// Bytes.
        package let size: Int64
        /// When it was proven; `nil` for a leftover.
        package var verifiedAt: Date?
        /// Whether it has no receipt.
        package var isLeftover = false
    }

    /// An object that stays though its deletion was asked for.
    package struct Kept: Codable, Hashable, Sendable {
        /// Its file, as the root's name and the path below; the key where the file is unknown.
        package let path: String
        /// Its key in the bucket.
        package let key: String
        /// Why, in one sentence.
        package let reason: String
    }

    /// The objects that were listed; with `isDeleted`, those that were deleted.
    package var objects: [Object] = []
    /// Objects that stay, each with its reason.
    package var kept: [Kept] = []
    /// Whether deletion was asked for.
    package var isDeleted = false

    /// A result before anything was found.
    package init() {}

    /// The bytes of all `objects`.
    package var bytes: Int64 { objects.reduce(0) { $0 + $1.size } }
}
