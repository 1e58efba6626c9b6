/// What one directory contained when it was read.
package struct DirectoryListing: Hashable, Sendable {
    /// One name in the directory.
    package struct Entry: Hashable, Sendable {
        /// The name's bytes; never empty, and without a slash.
        package let name: [UInt8]
        /// What the name stands for; a symlink is not followed.
        package let kind: FileKind
        /// The facts of a regular file; `nil` for everything else, and where `failure` says why.
        package let facts: FileFacts?
        /// Why the facts of a file could not be read.
        package let failure: SystemError?

        /// An entry as read from the directory; a file has either facts or a failure.
        package init(name: [UInt8], kind: FileKind, facts: FileFacts? = nil, failure: SystemError? = nil) {
            self.name = name
            self.kind = kind
            self.facts = facts
            self.failure = failure
        }
    }

    /// The directory's path below the root of the walk; empty for the root itself.
    package let path: FilePath
    /// In byte order of the names; without `.` and `..`.
    package let entries: [Entry]
    /// Why the directory could not be read; `entries` is empty then.
    package let failure: SystemError?
    /// Where the directory was; `nil` where it could not be read.
    package let place: DirectoryPlace?

    /// A listing as read from the directory, or an empty one with its failure.
    package init(path: FilePath, entries: [Entry], failure: SystemError? = nil, place: DirectoryPlace? = nil) {
        self.path = path
        self.entries = entries
        self.failure = failure
        self.place = place
    }
}
