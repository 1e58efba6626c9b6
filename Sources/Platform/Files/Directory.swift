import CLinux
import Glibc

/// An open directory; what it opens is below it, and no symlink is followed on the way.
///
/// Names are paths relative to it. `..`, absolute paths and symlinks in them fail with `EXDEV` or `ELOOP`,
/// even where another process renames directories at the same time.
package final class Directory: Sendable {
    /// Valid as long as this object exists; never close it.
    let descriptor: Int32
    /// The path it was opened with; it may have been renamed since.
    package let path: FilePath

    /// Opens an existing directory; symlinks in `path` itself are followed.
    package init(_ path: FilePath) throws(SystemError) {
        descriptor = try SystemError.check("open", path) {
            path.withCString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        }
        self.path = path
    }

    init(descriptor: Int32, path: FilePath) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Creates the directory at `path` and missing parents durably; existing ones stay unchanged.
    package static func create(at path: FilePath, mode: UInt32 = 0o700) throws(SystemError) {
        if try FileFacts.existing(path)?.kind == .directory { return }
        let parent = path.parent.isEmpty ? "." : path.parent
        if parent != path { try create(at: parent, mode: mode) }
        do {
            try SystemError.check("mkdir", path) { path.withCString { mkdir($0, mode_t(mode)) } }
        } catch  where error.isPresent {
            guard try FileFacts(of: path).kind == .directory else { throw error }
        }
        try Directory(parent).synchronize()
    }
}

extension Directory {
    /// Opens a directory below this one; an empty path opens this one again.
    package func open(directory relative: FilePath) throws(SystemError) -> Directory {
        let descriptor = try openBeneath(relative, flags: O_RDONLY | O_DIRECTORY)
        return Directory(descriptor: descriptor, path: path.appending(relative))
    }

    /// Opens a file for reading, without updating its access time where permitted; a pipe does not block.
    package func open(file relative: FilePath) throws(SystemError) -> OpenFile {
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY
        let descriptor: Int32
        do {
            descriptor = try openBeneath(relative, flags: flags | Self.leavesAccessTime)
        } catch  where error.code == EPERM {
            descriptor = try openBeneath(relative, flags: flags)
        }
        return OpenFile(descriptor: descriptor, path: path.appending(relative))
    }

    /// Creates a file, or empties an existing one, and opens it for reading and writing.
    ///
    /// With `exclusive` an existing file fails with `EEXIST`.
    package func create(
        file relative: FilePath, mode: UInt32 = 0o600, exclusive: Bool = false
    ) throws(SystemError) -> OpenFile {
        let flags = O_RDWR | O_CREAT | O_NOCTTY | (exclusive ? O_EXCL : O_TRUNC)
        return OpenFile(
            descriptor: try openBeneath(relative, flags: flags, mode: mode), path: path.appending(relative))
    }

    /// Opens a file for reading and writing, keeping its content; creates it when it is missing.
    package func open(writing relative: FilePath, mode: UInt32 = 0o600) throws(SystemError) -> OpenFile {
        let flags = O_RDWR | O_CREAT | O_NOCTTY | O_NONBLOCK
        return OpenFile(
            descriptor: try openBeneath(relative, flags: flags, mode: mode), path: path.appending(relative))
    }

    /// Opens a file for reading and for writing at its end; creates it when it is missing.
    package func append(toFile relative: FilePath, mode: UInt32 = 0o600) throws(SystemError) -> OpenFile {
        let flags = O_RDWR | O_CREAT | O_APPEND | O_NOCTTY
        return OpenFile(
            descriptor: try openBeneath(relative, flags: flags, mode: mode), path: path.appending(relative))
    }

    /// What the file system knows about the directory itself.
    func facts() throws(SystemError) -> FileFacts {
        var status = stat()
        try SystemError.check("fstat", path) { fstat(descriptor, &status) }
        return FileFacts(status)
    }

    /// What the file system knows about what `relative` names; a symlink is not followed.
    package func facts(of relative: FilePath) throws(SystemError) -> FileFacts {
        let parent = try parent(of: relative)
        do {
            return try FileFacts(at: parent.descriptor, parent.name, flags: AT_SYMLINK_NOFOLLOW)
        } catch {
            throw SystemError(call: error.call, code: error.code, path: path.appending(relative))
        }
    }

    /// The same, or `nil` when `relative` names nothing.
    package func existingFacts(of relative: FilePath) throws(SystemError) -> FileFacts? {
        try FileFacts.present { () throws(SystemError) in try facts(of: relative) }
    }

    /// `O_NOATIME`, which only the owner of a file may use.
    private static let leavesAccessTime: Int32 = 0o1000000
}

extension Directory {
    /// Creates every missing directory along `relative`; existing ones stay unchanged.
    package func createDirectories(_ relative: FilePath, mode: UInt32 = 0o700) throws(SystemError) {
        var made = FilePath(bytes: [])
        for component in relative.components {
            made = made.appending(component)
            do {
                try change("mkdirat", made) { mkdirat($0, $1, mode_t(mode)) }
            } catch  where error.isPresent {
                guard try facts(of: made).kind == .directory else { throw error }
            }
        }
    }

    /// Renames within this directory; replaces an existing `target`, or throws `EEXIST`.
    ///
    /// - Parameter replacing: Whether an existing `target` is replaced, atomically.
    package func rename(_ source: FilePath, to target: FilePath, replacing: Bool = true) throws(SystemError) {
        let from = try parent(of: source)
        let to = try parent(of: target)
        try SystemError.check("renameat2", path.appending(target)) {
            from.name.withCString { source in
                to.name.withCString { target in
                    replacing
                        ? renameat(from.descriptor, source, to.descriptor, target)
                        : renameat2(from.descriptor, source, to.descriptor, target, 1)  // RENAME_NOREPLACE
                }
            }
        }
    }

    /// Gives the file `source` a second name.
    package func link(_ source: FilePath, to target: FilePath) throws(SystemError) {
        let from = try parent(of: source)
        let to = try parent(of: target)
        try SystemError.check("linkat", path.appending(target)) {
            from.name.withCString { source in
                to.name.withCString { linkat(from.descriptor, source, to.descriptor, $0, 0) }
            }
        }
    }

    /// Creates a symlink to `target`, which need not exist.
    package func createLink(_ relative: FilePath, to target: FilePath) throws(SystemError) {
        _ = try target.withCString { text throws(SystemError) in
            try change("symlinkat", relative) { symlinkat(text, $0, $1) }
        }
    }

    /// The target of the symlink `relative`, as it is stored there.
    package func target(ofLink relative: FilePath) throws(SystemError) -> FilePath {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try change("readlinkat", relative) { readlinkat($0, $1, &text, text.count) }
        return FilePath(bytes: text[..<count].map(UInt8.init(truncatingIfNeeded:)))
    }

    /// Removes a file or a symlink; returns false where there was none.
    @discardableResult
    package func remove(file relative: FilePath) throws(SystemError) -> Bool {
        try FileFacts.present { () throws(SystemError) in try change("unlinkat", relative) { unlinkat($0, $1, 0) } }
            != nil
    }

    /// Removes an empty directory; returns false where there was none.
    @discardableResult
    package func remove(directory relative: FilePath) throws(SystemError) -> Bool {
        try FileFacts.present { () throws(SystemError) in
            try change("unlinkat", relative) { unlinkat($0, $1, AT_REMOVEDIR) }
        } != nil
    }

    /// Returns when all names created, changed and removed directly in this directory are durable.
    package func synchronize() throws(SystemError) {
        try SystemError.check("fsync", path) { fsync(descriptor) }
    }

    @discardableResult
    private func change<Value: SignedInteger>(
        _ call: String, _ relative: FilePath, _ body: (Int32, UnsafePointer<CChar>) -> Value
    ) throws(SystemError) -> Value {
        let parent = try parent(of: relative)
        return try SystemError.check(call, path.appending(relative)) {
            parent.name.withCString { body(parent.descriptor, $0) }
        }
    }
}
