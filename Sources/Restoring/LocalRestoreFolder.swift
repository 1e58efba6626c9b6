import Glibc
package import Platform

/// A directory of the local file system; new files and directories have the modes the user's umask leaves.
package struct LocalRestoreFolder: RestoreFolder {
    private let directory: Directory
    private let locksParts: Bool

    /// Restores into `directory`, which stays open.
    ///
    /// - Parameter locksParts: Whether another process may be filling the same parts.
    package init(_ directory: Directory, locksParts: Bool = true) {
        self.directory = directory
        self.locksParts = locksParts
    }

    /// Asks by the path that the directory was opened with.
    package func checkWriting() throws(SystemError) {
        if let refusal = Directory.refusal(at: directory.path) { throw refusal }
    }

    /// What `path` names now, following no symlink.
    package func facts(of path: FilePath) throws(SystemError) -> FileFacts? {
        try directory.existingFacts(of: path)
    }

    /// Whether the directory lists what `path` names by this very name.
    package func lists(_ path: FilePath) throws(SystemError) -> Bool {
        try directory.listedFacts(of: path) != nil
    }

    /// All names in the directory `path`, read at once.
    package func names(in path: FilePath) throws(SystemError) -> [FilePath] {
        try directory.open(directory: path).names()
    }

    /// Bytes that the file system has left for this user.
    package func availableBytes() throws(SystemError) -> Int64 {
        try directory.availableBytes()
    }

    /// Opens a file for reading, following no symlink on the way.
    package func open(_ path: FilePath) throws(SystemError) -> OpenFile {
        try directory.open(file: path)
    }

    /// Makes missing directories with the mode that the umask leaves of 0777.
    package func makeDirectories(_ path: FilePath) throws(SystemError) {
        try directory.createDirectories(path, mode: 0o777)
    }

    /// Opens or makes a part, and locks it if `locksParts`; `nil` while another process has the lock.
    package func openPart(_ path: FilePath) throws(SystemError) -> OpenFile? {
        // The process that held the lock may have put its file in place meanwhile: then the name belongs to another
        // file, or to none.
        for _ in 0..<3 {
            let file = try directory.open(writing: path, mode: 0o666)
            guard try isLocked(file) else { return nil }
            let (own, named) = (try file.facts(), try directory.existingFacts(of: path))
            if own.inode == named?.inode, own.device == named?.device, own.kind == .file { return file }
        }
        return nil
    }

    /// Takes the lock; a file system without locks counts as locked, because no other process can have a lock there.
    private func isLocked(_ file: OpenFile) throws(SystemError) -> Bool {
        guard locksParts else { return true }
        do {
            return try file.lock()
        } catch  where [ENOLCK, ENOSYS, EOPNOTSUPP].contains(error.code) {
            return true
        }
    }

    /// Truncates the part to `size` bytes, which must not be more than it has.
    package func cut(_ part: OpenFile, to size: Int64) throws(SystemError) {
        try part.truncate(to: size)
    }

    /// Sets the time of the last change, to the nanosecond where the file system keeps it.
    package func setModified(_ time: FileTime, of file: OpenFile) throws(SystemError) {
        try file.setModified(time)
    }

    /// Syncs content, time and size, and lets the page cache drop the file.
    package func synchronize(_ file: OpenFile) throws(SystemError) {
        try file.synchronizeAll()
        file.adviseDone()
    }

    /// Renames without replacing; where that is not supported, links the new name and removes the old one.
    package func place(_ part: FilePath, as path: FilePath) throws(SystemError) {
        try Self.place(part, as: path, by: directory)
    }

    static func place(_ part: FilePath, as path: FilePath, by directory: some NameChanging) throws(SystemError) {
        do {
            return try directory.rename(part, to: path, replacing: false)
        } catch {
            guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code) else { throw error }
        }
        do {
            // NFS and some others cannot rename without replacing, but a second name never replaces.
            try directory.link(part, to: path)
            try directory.remove(file: part)
        } catch {
            guard [EPERM, ENOSYS, EOPNOTSUPP].contains(error.code) else { throw error }
            // File systems that a program serves (exFAT, a phone, a cloud's folder) may have neither. Then a file that
            // another program puts there between look and rename is lost, but else nothing could be restored.
            guard try directory.existingFacts(of: path) == nil else {
                throw SystemError(call: "rename", code: EEXIST, path: path)
            }
            try directory.rename(part, to: path, replacing: true)
        }
    }

    /// Removes a file; a directory is an error.
    package func remove(_ path: FilePath) throws(SystemError) {
        try directory.remove(file: path)
    }

    /// Syncs the names in the directory `path`.
    package func synchronize(directory path: FilePath) throws(SystemError) {
        try directory.open(directory: path).synchronize()
    }
}

/// How a file gets its name in a directory; a test's double can lack what some file systems lack.
protocol NameChanging {
    func rename(_ source: FilePath, to target: FilePath, replacing: Bool) throws(SystemError)
    func link(_ source: FilePath, to target: FilePath) throws(SystemError)
    @discardableResult
    func remove(file relative: FilePath) throws(SystemError) -> Bool
    func existingFacts(of relative: FilePath) throws(SystemError) -> FileFacts?
}

extension Directory: NameChanging {}
