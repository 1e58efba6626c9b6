/// One directory of state files, and the only verbs that may change it.
///
/// The verbs are exactly what a crash can fall between, so a double can record them, fail the n-th,
/// or cut the power after it. Names hold no slash.
package protocol Disk: Sendable {
    /// The content of `name`, or `nil` when there is none.
    func read(_ name: String) throws(SystemError) -> [UInt8]?
    /// All names in the directory, in the order of their bytes.
    func names() throws(SystemError) -> [String]
    /// Makes `name` anew, a new file where one was, and opens it for appending.
    func create(_ name: String) throws(SystemError) -> any DiskFile
    /// Opens `name` for appending; makes it when it is missing.
    func append(_ name: String) throws(SystemError) -> any DiskFile
    /// Opens `name`, which must be there, for its attributes.
    func open(_ name: String) throws(SystemError) -> any DiskFile
    /// Gives `source` a second name; `EEXIST` when that is taken.
    func link(_ source: String, to target: String) throws(SystemError)
    /// Renames, replacing an existing `target` in one step.
    func rename(_ source: String, to target: String) throws(SystemError)
    /// Removes `name`, if it is there.
    func remove(_ name: String) throws(SystemError)
    /// Returns when all names are on the disk itself.
    func synchronizeDirectory() throws(SystemError)
}

/// A file of a `Disk`, open for appending.
package protocol DiskFile: Sendable {
    /// Appends all of `bytes`; durable only after `synchronize`.
    func write(_ bytes: [UInt8]) throws(SystemError)
    /// Returns when everything written is on the disk itself; after a failure nothing about it is known.
    func synchronize() throws(SystemError)
    /// The same, for its attributes too.
    func synchronizeAll() throws(SystemError)
    /// Sets an extended attribute; an error that `refusesAttribute` says that there is no room for it.
    func setAttribute(_ name: String, to value: [UInt8]) throws(SystemError)
    /// An extended attribute; `nil` when there is none.
    func attribute(_ name: String) throws(SystemError) -> [UInt8]?
}

/// A file that keeps no attributes.
extension DiskFile {
    package func synchronizeAll() throws(SystemError) { try synchronize() }
    package func setAttribute(_ name: String, to value: [UInt8]) throws(SystemError) {
        throw SystemError(call: "fsetxattr", code: 95)  // EOPNOTSUPP
    }
    package func attribute(_ name: String) throws(SystemError) -> [UInt8]? { nil }
}

extension Disk {
    /// Replaces the content of `name` durably: a crash leaves the old content or the new one, never neither.
    ///
    /// Writes `<name>.new`, synchronizes it, renames it over `name`, synchronizes the directory. With
    /// `keepingPrevious` the old content stays under that name; `name` itself never disappears.
    package func replace(
        _ name: String, with bytes: [UInt8], keepingPrevious previous: String? = nil
    ) throws(SystemError) {
        let fresh = name + ".new"
        try writeDurably(bytes, to: fresh)
        if let previous { try keep(name, as: previous) }
        try rename(fresh, to: name)
        try synchronizeDirectory()
    }

    private func writeDurably(_ bytes: [UInt8], to name: String) throws(SystemError) {
        let file = try create(name)
        try file.write(bytes)
        try file.synchronize()
    }

    /// Makes `previous` name what `name` holds; by a copy where the file system has no hard links.
    private func keep(_ name: String, as previous: String) throws(SystemError) {
        let second = previous + ".new"
        try remove(second)
        do {
            try link(name, to: second)
        } catch  where error.isMissing {
            return
        } catch  where error.lacksLinks {
            try writeDurably(try read(name) ?? [], to: second)
        }
        try rename(second, to: previous)
    }
}
