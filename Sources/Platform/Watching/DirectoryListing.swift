/// What one directory held when it was read.
package struct DirectoryListing: Hashable, Sendable {
    /// One name in it.
    package struct Entry: Hashable, Sendable {
        package let name: [UInt8]
        package let kind: FileKind
        /// What is known about a file; `nil` for everything else, and where `failure` tells why.
        package let facts: FileFacts?
        /// Why the facts of a file could not be had.
        package let failure: SystemError?

        package init(name: [UInt8], kind: FileKind, facts: FileFacts? = nil, failure: SystemError? = nil) {
            self.name = name
            self.kind = kind
            self.facts = facts
            self.failure = failure
        }
    }

    /// Relative to the root of the walk; empty for the root itself.
    package let path: FilePath
    /// In the order of the names' bytes; without `.` and `..`.
    package let entries: [Entry]
    /// Why the directory could not be read, or not to its end.
    package let failure: SystemError?
    /// Which directory it was; `nil` where it could not be opened.
    package let place: DirectoryPlace?

    package init(path: FilePath, entries: [Entry], failure: SystemError? = nil, place: DirectoryPlace? = nil) {
        self.path = path
        self.entries = entries
        self.failure = failure
        self.place = place
    }
}
