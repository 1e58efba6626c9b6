package import Platform

/// The POSIX locks that this process has, as the kernel lists them (`/proc/locks`).
package enum RecordLocks {
    /// Returns once a read lock on `file` is listed; throws `LimitReached`.
    ///
    /// Looks again and again, because the list is read in pieces, and changes in between may hide a lock from one look.
    package static func wait(forReadLockOn file: FilePath) async throws {
        let inode = try FileFacts(of: file).inode
        var seen = ""
        try await eventually("a read lock on \(file.display)", seen: { seen }) {
            seen = String(decoding: try OpenFile(reading: "/proc/locks").readAll(), as: UTF8.self)
            return seen.split(separator: "\n").contains { isReadLock($0, inode) }
        }
    }

    /// Reads a line such as `1: POSIX  ADVISORY  READ 2481 fe:00:1310724 1073741826 1073742335`.
    private static func isReadLock(_ line: Substring, _ inode: UInt64) -> Bool {
        let words = line.split(separator: " ")
        return words.count >= 6 && words[1] == "POSIX" && words[3] == "READ" && words[4] == "\(Host.processID)"
            && words[5].hasSuffix(":\(inode)")
    }
}
