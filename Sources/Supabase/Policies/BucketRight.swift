/// What a signed-in user may do with objects; each is one policy of row-level security (contract 6.6).
package enum BucketRight: String, CaseIterable, Hashable, Sendable {
    case select, insert, update, delete

    /// What a user cannot do without this right, as part of a sentence for people.
    package var use: String {
        switch self {
        case .select: "see what is stored, which replacing and deleting need too"
        case .insert: "store files"
        case .update: "replace and move files"
        case .delete: "delete files"
        }
    }
}
