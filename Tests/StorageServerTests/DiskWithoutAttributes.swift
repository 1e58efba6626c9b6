import Platform

/// A directory on a file system that keeps no extended attributes, such as vfat.
struct DiskWithoutAttributes: Disk {
    private let disk: LocalDisk

    /// Opens one directory below a blobs' root.
    static let opening: @Sendable (FilePath) throws(SystemError) -> any Disk = { path throws(SystemError) in
        DiskWithoutAttributes(disk: try LocalDisk(directory: path))
    }

    /// The protocol's own defaults are those of a file without attributes.
    private struct File: DiskFile {
        let file: any DiskFile
        func write(_ bytes: [UInt8]) throws(SystemError) { try file.write(bytes) }
        func synchronize() throws(SystemError) { try file.synchronize() }
    }

    func read(_ name: String) throws(SystemError) -> [UInt8]? { try disk.read(name) }
    func names() throws(SystemError) -> [String] { try disk.names() }
    func create(_ name: String) throws(SystemError) -> any DiskFile { File(file: try disk.create(name)) }
    func append(_ name: String) throws(SystemError) -> any DiskFile { File(file: try disk.append(name)) }
    func open(_ name: String) throws(SystemError) -> any DiskFile { File(file: try disk.open(name)) }
    func link(_ source: String, to target: String) throws(SystemError) { try disk.link(source, to: target) }
    func rename(_ source: String, to target: String) throws(SystemError) { try disk.rename(source, to: target) }
    func remove(_ name: String) throws(SystemError) { try disk.remove(name) }
    func synchronizeDirectory() throws(SystemError) { try disk.synchronizeDirectory() }
}
