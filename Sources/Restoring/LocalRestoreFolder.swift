import Glibc
package import Platform

/// A directory of the local file system; new files and directories have the modes the user's umask leaves.
package struct LocalRestoreFolder: RestoreFolder {
    private let directory: Directory
    private let locksParts: Bool

    /// - Parameter locksParts: Whether another process may be filling the same parts.
    package init(_ directory: Directory, locksParts: Bool = true) {
        self.directory = directory
        self.locksParts = locksParts
    }

    package func facts(of path: FilePath) throws(SystemError) -> FileFacts? {
        try directory.existingFacts(of: path)
    }

    package func names(in path: FilePath) throws(SystemError) -> [FilePath] {
        try directory.open(directory: path).names()
    }

    package func availableBytes() throws(SystemError) -> Int64 {
        try directory.availableBytes()
    }

    package func open(_ path: FilePath) throws(SystemError) -> OpenFile {
        try directory.open(file: path)
    }

    package func makeDirectories(_ path: FilePath) throws(SystemError) {
        try directory.createDirectories(path, mode: 0o777)
    }

    package func openPart(_ path: FilePath) throws(SystemError) -> OpenFile? {
        // Whoever held the lock may have put the file in its place meanwhile: then another has the name, or none.
        for _ in 0..<3 {
            let file = try directory.open(writing: path, mode: 0o666)
            guard try isLocked(file) else { return nil }
            let (own, named) = (try file.facts(), try directory.existingFacts(of: path))
            if own.inode == named?.inode, own.device == named?.device, own.kind == .file { return file }
        }
        return nil
    }

    /// Takes the lock; where the file system has none, so has nobody else.
    private func isLocked(_ file: OpenFile) throws(SystemError) -> Bool {
        guard locksParts else { return true }
        do {
            return try file.lock()
        } catch  where [ENOLCK, ENOSYS, EOPNOTSUPP].contains(error.code) {
            return true
        }
    }

    package func cut(_ part: OpenFile, to size: Int64) throws(SystemError) {
        try part.truncate(to: size)
    }

    package func setModified(_ time: FileTime, of file: OpenFile) throws(SystemError) {
        try file.setModified(time)
    }

    package func synchronize(_ file: OpenFile) throws(SystemError) {
        try file.synchronizeAll()
        file.adviseDone()
    }

    package func place(_ part: FilePath, as path: FilePath) throws(SystemError) {
        do {
            try directory.rename(part, to: path, replacing: false)
        } catch  where [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code) {
            // NFS and some others cannot rename without replacing, but a second name never replaces.
            try directory.link(part, to: path)
            try directory.remove(file: part)
        }
    }

    package func remove(_ path: FilePath) throws(SystemError) {
        try directory.remove(file: path)
    }

    package func synchronize(directory path: FilePath) throws(SystemError) {
        try directory.open(directory: path).synchronize()
    }
}
