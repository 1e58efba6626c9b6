import CLinux
import Glibc

/// One name as the kernel lists it, before its file was looked at.
struct DirectoryEntry {
    let name: [UInt8]
    /// `nil` where the file system does not say.
    let kind: FileKind?
    let inode: UInt64
}

extension Directory {
    /// All names in this directory, in byte order, without `.` and `..`.
    package func names() throws(SystemError) -> [FilePath] {
        // A new descriptor, since a descriptor has only one reading position.
        try open(directory: "").entries().map { FilePath(bytes: $0.name) }.sorted()
    }

    /// Whether it contains no names.
    package func isEmpty() throws(SystemError) -> Bool { try open(directory: "").entries(upTo: 1).isEmpty }

    /// The entries from the descriptor's reading position on, in the kernel's order; stops soon after `limit` of them.
    func entries(upTo limit: Int = .max) throws(SystemError) -> [DirectoryEntry] {
        // For one entry the kernel need not list thousands: three of the longest names fit, and two may be "." and "..".
        let size = limit == 1 ? 1 << 10 : 64 << 10
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
        defer { buffer.deallocate() }
        var entries: [DirectoryEntry] = []
        while entries.count < limit {
            let count = try SystemError.check("getdents64", path) {
                clinux_getdents64(descriptor, buffer.baseAddress, buffer.count)
            }
            if count == 0 { break }
            Self.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &entries)
        }
        return entries
    }

    /// Reads `struct linux_dirent64`: inode (8 bytes), offset (8), record length (2), type (1), name, NUL.
    private static func parse(_ records: UnsafeRawBufferPointer, into entries: inout [DirectoryEntry]) {
        var start = 0
        while start < records.count {
            let length = Int(records.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self))
            let bytes = records[(start + 19)..<(start + length)]
            let name = bytes.prefix { $0 != 0 }
            if !isDots(name) {
                entries.append(
                    DirectoryEntry(
                        name: Array(name), kind: kind(ofType: records[start + 18]),
                        inode: records.loadUnaligned(fromByteOffset: start, as: UInt64.self)))
            }
            start += length
        }
    }

    private static func isDots(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
        name.count <= 2 && name.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    private static func kind(ofType type: UInt8) -> FileKind? {
        switch Int(type) {
        case DT_UNKNOWN: nil
        case DT_REG: .file
        case DT_DIR: .directory
        case DT_LNK: .symlink
        default: .other
        }
    }
}
