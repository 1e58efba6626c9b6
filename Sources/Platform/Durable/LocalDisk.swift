import Glibc

/// A directory of the local file system; its files are readable by their owner only.
package struct LocalDisk: Disk {
    private let directory: Directory

    /// Opens an existing directory, and stays with it wherever it is moved.
    package init(directory path: FilePath) throws(SystemError) {
        directory = try Directory(path)
    }

    package func read(_ name: String) throws(SystemError) -> [UInt8]? {
        let file = try FileFacts.present { () throws(SystemError) in try directory.open(file: FilePath(name)) }
        return try file?.readAll(limit: .max)
    }

    package func names() throws(SystemError) -> [String] {
        try directory.names().map(\.display)
    }

    package func create(_ name: String) throws(SystemError) -> any DiskFile {
        try directory.remove(file: FilePath(name))
        return try directory.append(toFile: FilePath(name))
    }

    package func append(_ name: String) throws(SystemError) -> any DiskFile {
        try directory.append(toFile: FilePath(name))
    }

    package func open(_ name: String) throws(SystemError) -> any DiskFile {
        try directory.open(file: FilePath(name))
    }

    package func link(_ source: String, to target: String) throws(SystemError) {
        try directory.link(FilePath(source), to: FilePath(target))
    }

    package func rename(_ source: String, to target: String) throws(SystemError) {
        try directory.rename(FilePath(source), to: FilePath(target))
    }

    package func remove(_ name: String) throws(SystemError) {
        try directory.remove(file: FilePath(name))
    }

    package func synchronizeDirectory() throws(SystemError) {
        try directory.synchronize()
    }
}

extension OpenFile: DiskFile {
    package func write(_ bytes: [UInt8]) throws(SystemError) { try append(bytes) }
}

extension SystemError {
    /// The file system, or this file, takes no second name.
    var lacksLinks: Bool { [EPERM, ENOTSUP, EOPNOTSUPP, EMLINK, ENOSYS].contains(code) }
}
