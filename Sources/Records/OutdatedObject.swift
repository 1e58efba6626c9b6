/// An object under a former name, whose file and content have another name now.
package struct OutdatedObject: Hashable, Sendable {
    /// The object's receipt, and the former name of its file.
    package let duplicate: Duplicate
    /// Whether the library knows a stored file of that name: it is back, or not yet known to be gone.
    package let isStored: Bool
    /// What else is stored of that file, with the content that it has now.
    package let successor: Receipt?

    /// An object under a former name, and what replaces it.
    package init(duplicate: Duplicate, isStored: Bool, successor: Receipt?) {
        (self.duplicate, self.isStored, self.successor) = (duplicate, isStored, successor)
    }
}
