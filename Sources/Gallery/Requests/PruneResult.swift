package import FoundationEssentials

/// Objects whose files are gone, and what became of them.
package struct PruneResult: Codable, Hashable, Sendable {
    /// One object that we put there.
    package struct Object: Codable, Hashable, Sendable {
        /// The file that was, with its root's name.
        package let path: String
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
        package let path: String
        package let key: String
        /// Why, in one sentence.
        package let reason: String
    }

    /// Those listed; with `isDeleted` those that are gone now.
    package var objects: [Object] = []
    package var kept: [Kept] = []
    package var isDeleted = false

    package init() {}

    /// Of the objects.
    package var bytes: Int64 { objects.reduce(0) { $0 + $1.size } }
}
