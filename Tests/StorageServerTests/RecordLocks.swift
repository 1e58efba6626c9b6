import Platform

/// The POSIX locks that this process has on a file, as the kernel lists them (`/proc/locks`).
enum RecordLocks {
    /// Lines such as `1: POSIX  ADVISORY  READ 2481 fe:00:1310724 1073741826 1073742335`, without their number.
    static func ofThisProcess(on file: FilePath) throws -> [String] {
        let inode = try FileFacts(of: file).inode
        let table = try OpenFile(reading: "/proc/locks").readAll()
        return String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] == "POSIX", words[4] == "\(Host.processID)",
                words[5].hasSuffix(":\(inode)")
            else { return nil }
            return words.dropFirst().joined(separator: " ")
        }
    }
}
