import CLinux

extension OpenFile {
    /// A file in memory without a name, for what no disk and no command line may see.
    ///
    /// It goes away with its last descriptor; whoever is given it reads from its first byte.
    package static func inMemory(holding bytes: [UInt8] = []) throws(SystemError) -> OpenFile {
        let descriptor = try SystemError.check("memfd_create") { clinux_memory_file("gallery-sync") }
        let file = OpenFile(descriptor: descriptor)
        try file.write(bytes, at: 0)
        return file
    }
}
