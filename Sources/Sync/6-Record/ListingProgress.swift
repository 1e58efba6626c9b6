package import Supabase

/// Checks that the pages of a listing advance: a listing that goes in circles would never end.
package struct ListingProgress {
    private var cursors: Set<String> = []
    private var last: String?

    /// A listing of which nothing was seen yet.
    package init() {}

    /// The cursor of the page after `page`; throws if it repeats, or if the keys do not advance.
    package mutating func next(after page: ObjectPage) throws(StorageError) -> String? {
        let end = page.objects.last?.key
        if let last, let end, !last.utf8.lexicographicallyPrecedes(end.utf8) { throw Self.circle }
        guard let cursor = page.nextCursor else { return nil }
        // A page without objects that names a next page has not advanced, either.
        guard end != nil, cursors.insert(cursor).inserted else { throw Self.circle }
        last = end
        return cursor
    }

    private static let circle = StorageError.unreadable(status: 200, "the bucket's listing goes in circles")
}
