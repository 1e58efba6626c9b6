import Glibc

/// An exclusive lock on a file, held until its last owner releases it or the process ends.
///
/// It uses `flock`, so it belongs to the open file and ends with it; children do not inherit it. The file is
/// never removed: otherwise two processes could lock two files of the same name.
package final class FileLock: Sendable {
    private let file: OpenFile
    private let path: FilePath

    private init(file: OpenFile, path: FilePath) {
        self.file = file
        self.path = path
    }

    /// Locks the file at `path` and writes `contents` into it; `nil` when another process holds the lock.
    ///
    /// Creates the file when it is missing.
    ///
    /// - Parameter attempts: How many times to try, a millisecond apart.
    package static func acquire(
        _ path: FilePath, contents: [UInt8] = [], attempts: Int = 20
    ) throws(SystemError) -> FileLock? {
        let file = try OpenFile(appending: path)
        guard try lock(file, LOCK_EX, attempts: attempts) else { return nil }
        let lock = FileLock(file: file, path: path)
        try lock.write(contents)
        return lock
    }

    /// Keeps other processes from locking the file at `path`, which must exist and stays unchanged; `nil` when another
    /// process has locked it.
    ///
    /// For readers of a state that cannot be written: any number of them may hold it at once.
    package static func share(_ path: FilePath) throws(SystemError) -> FileLock? {
        let file = try OpenFile(reading: path)
        return try lock(file, LOCK_SH, attempts: 20) ? FileLock(file: file, path: path) : nil
    }

    /// What the holder wrote into the lock at `path`, or `nil` when no process holds it.
    package static func holder(_ path: FilePath) throws(SystemError) -> [UInt8]? {
        guard let file = try FileFacts.present({ () throws(SystemError) in try OpenFile(reading: path) })
        else { return nil }
        if try lock(file, LOCK_SH, attempts: 1) { return nil }
        return try file.readAll(limit: 1 << 16)
    }

    /// Whether the path still names the locked file; if not, another process can lock the file that is there now.
    package var isInPlace: Bool {
        do throws(SystemError) {
            guard let there = try FileFacts.existing(path) else { return false }
            let own = try file.facts()
            return there.inode == own.inode && there.device == own.device
        } catch {
            // That the path cannot be looked at does not mean that another file has its name.
            return true
        }
    }

    /// Replaces the file's content, which `holder` returns; the lock itself does not change.
    package func write(_ contents: [UInt8]) throws(SystemError) {
        try file.truncate(to: 0)
        try file.append(contents)
    }

    /// Locks without waiting for the holder; repeated attempts outlast processes that only look who the holder is.
    fileprivate static func lock(_ file: OpenFile, _ kind: Int32, attempts: Int) throws(SystemError) -> Bool {
        for attempt in 1...attempts {
            do {
                try SystemError.check("flock") { flock(file.descriptor, kind | LOCK_NB) }
                return true
            } catch  where error.code == EWOULDBLOCK {
                if attempt < attempts { usleep(1000) }
            }
        }
        return false
    }
}

extension OpenFile {
    /// Locks the file until this object is released, without waiting; `false` when it is locked elsewhere.
    package func lock() throws(SystemError) -> Bool {
        try FileLock.lock(self, LOCK_EX, attempts: 1)
    }
}
