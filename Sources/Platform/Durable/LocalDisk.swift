import Glibc

/// A directory of the local file system; only their owner can read its files.
package struct LocalDisk: Disk {
    private let directory: Directory

    /// Opens an existing directory, and keeps using it even where it is renamed.
    package init(directory path: FilePath) throws(SystemError) {
        directory = try Directory(path)
    }

    /// Reads the whole file; its size is not limited.
    package func read(_ name: String) throws(SystemError) -> [UInt8]? {
        let file = try FileFacts.present { () throws(SystemError) in try directory.open(file: FilePath(name)) }
        return try file?.readAll(limit: .max)
    }

    /// Lists the directory; a name that is not UTF-8 appears with U+FFFD.
    package func names() throws(SystemError) -> [String] {
        try directory.names().map(\.display)
    }

    /// Removes the old file first, so that its other names keep their content.
    package func create(_ name: String) throws(SystemError) -> any DiskFile {
        try directory.remove(file: FilePath(name))
        return try directory.append(toFile: FilePath(name))
    }

    /// Opens with mode 0600 where it creates the file.
    package func append(_ name: String) throws(SystemError) -> any DiskFile {
        try directory.append(toFile: FilePath(name))
    }

    /// Opens for reading; an extended attribute can be set all the same.
    package func open(_ name: String) throws(SystemError) -> any DiskFile {
        try directory.open(file: FilePath(name))
    }

    /// Uses a hard link, which some file systems lack (`lacksLinks`).
    package func link(_ source: String, to target: String) throws(SystemError) {
        try directory.link(FilePath(source), to: FilePath(target))
    }

    /// Renames within the directory, which is atomic.
    package func rename(_ source: String, to target: String) throws(SystemError) {
        try directory.rename(FilePath(source), to: FilePath(target))
    }

    /// Unlinks the name; other names of the file keep its content.
    package func remove(_ name: String) throws(SystemError) {
        try directory.remove(file: FilePath(name))
    }

    /// Calls `fsync` on the directory.
    package func synchronizeDirectory() throws(SystemError) {
        try directory.synchronize()
    }
}

extension OpenFile: DiskFile {
    /// Appends with `write(2)`, repeated until all bytes are written.
    package func write(_ bytes: [UInt8]) throws(SystemError) { try append(bytes) }
}

extension SystemError {
    /// The file system, or this file, accepts no second name.
    var lacksLinks: Bool { [EPERM, ENOTSUP, EOPNOTSUPP, EMLINK, ENOSYS].contains(code) }
}
