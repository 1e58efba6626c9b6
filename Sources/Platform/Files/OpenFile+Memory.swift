import CLinux

extension OpenFile {
    /// A nameless file in memory, for secrets that must not be on a disk or a command line.
    ///
    /// It is freed with its last descriptor; a process that inherits it reads from its first byte.
    package static func inMemory(holding bytes: [UInt8] = []) throws(SystemError) -> OpenFile {
        let descriptor = try SystemError.check("memfd_create") { clinux_memory_file("gallery-sync") }
        let file = OpenFile(descriptor: descriptor)
        try file.write(bytes, at: 0)
        return file
    }
}
