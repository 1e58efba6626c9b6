/// One directory of state files, with the only operations that may change it.
///
/// A crash can happen between any two of them, so a double can record them, fail the n-th, or cut the
/// power after it. Names contain no slash.
package protocol Disk: Sendable {
    /// The content of `name`, or `nil` when there is no such file.
    func read(_ name: String) throws(SystemError) -> [UInt8]?
    /// All names in the directory, in byte order.
    func names() throws(SystemError) -> [String]
    /// Creates `name` as a new file, also where one existed, and opens it for appending.
    func create(_ name: String) throws(SystemError) -> any DiskFile
    /// Opens `name` for appending; creates it when it is missing.
    func append(_ name: String) throws(SystemError) -> any DiskFile
    /// Opens `name`, which must exist, to read or set its attributes.
    func open(_ name: String) throws(SystemError) -> any DiskFile
    /// Gives `source` a second name; throws `EEXIST` when that is taken.
    func link(_ source: String, to target: String) throws(SystemError)
    /// Renames; an existing `target` is replaced atomically.
    func rename(_ source: String, to target: String) throws(SystemError)
    /// Removes `name`; does nothing when it is missing.
    func remove(_ name: String) throws(SystemError)
    /// Returns when all changes of names are durable.
    func synchronizeDirectory() throws(SystemError)
}

/// A file of a `Disk`, open for appending.
package protocol DiskFile: Sendable {
    /// Appends all of `bytes`; durable only after `synchronize`.
    func write(_ bytes: [UInt8]) throws(SystemError)
    /// Returns when all writes are durable; after a failure the file's state is unknown.
    func synchronize() throws(SystemError)
    /// Returns when all writes and attributes are durable; after a failure their state is unknown.
    func synchronizeAll() throws(SystemError)
    /// Sets an extended attribute; throws an error that `refusesAttribute` where there is no room for it.
    func setAttribute(_ name: String, to value: [UInt8]) throws(SystemError)
    /// The value of an extended attribute; `nil` when the file has none of that name.
    func attribute(_ name: String) throws(SystemError) -> [UInt8]?
}

/// The defaults suit a file without extended attributes.
extension DiskFile {
    /// As `synchronize`, since such a file has no attributes.
    package func synchronizeAll() throws(SystemError) { try synchronize() }
    /// Throws `EOPNOTSUPP`, which counts as `refusesAttribute`.
    package func setAttribute(_ name: String, to value: [UInt8]) throws(SystemError) {
        throw SystemError(call: "fsetxattr", code: 95)  // EOPNOTSUPP
    }
    /// Always `nil`.
    package func attribute(_ name: String) throws(SystemError) -> [UInt8]? { nil }
}

extension Disk {
    /// Replaces the content of `name` durably: after a crash it is the old content or the new one.
    ///
    /// Writes `<name>.new`, synchronizes it, renames it over `name`, synchronizes the directory. With
    /// `keepingPrevious` the old content is kept under that name; `name` itself never disappears.
    package func replace(
        _ name: String, with bytes: [UInt8], keepingPrevious previous: String? = nil
    ) throws(SystemError) {
        try replace(name, withParts: CollectionOfOne(bytes), keepingPrevious: previous)
    }

    /// As `replace(_:with:keepingPrevious:)`, for content that is written part by part, so that it never is in memory whole.
    package func replace(
        _ name: String, withParts parts: some Sequence<[UInt8]>, keepingPrevious previous: String? = nil
    ) throws(SystemError) {
        let fresh = name + ".new"
        try writeDurably(parts, to: fresh)
        if let previous { try keep(name, as: previous) }
        try rename(fresh, to: name)
        try synchronizeDirectory()
    }

    private func writeDurably(_ parts: some Sequence<[UInt8]>, to name: String) throws(SystemError) {
        let file = try create(name)
        for part in parts { try file.write(part) }
        try file.synchronize()
    }

    /// Makes `previous` a second name of the file, or a copy where the file system has no hard links.
    private func keep(_ name: String, as previous: String) throws(SystemError) {
        let second = previous + ".new"
        try remove(second)
        do {
            try link(name, to: second)
        } catch  where error.isMissing {
            return
        } catch  where error.lacksLinks {
            try writeDurably(CollectionOfOne(try read(name) ?? []), to: second)
        }
        try rename(second, to: previous)
    }
}
