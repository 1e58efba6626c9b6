package import Platform

/// The directory that files are restored to, and the only operations that change it.
///
/// A crash or a full disk can come between any two operations, so a test's double can fail the n-th. Paths are
/// below the directory; none of them leads out of it, and no symlink is followed.
package protocol RestoreFolder: Sendable {
    /// Throws what keeps this process from making names in it, as far as that is known without trying.
    func checkWriting() throws(SystemError)
    /// What `path` names now; `nil` for nothing.
    func facts(of path: FilePath) throws(SystemError) -> FileFacts?
    /// Whether the directory lists what `path` names by this very name; a disk that ignores case lists only one.
    func lists(_ path: FilePath) throws(SystemError) -> Bool
    /// All names in the directory `path`.
    func names(in path: FilePath) throws(SystemError) -> [FilePath]
    /// Bytes that can still be written to the disk.
    func availableBytes() throws(SystemError) -> Int64
    /// Opens a file for reading.
    func open(_ path: FilePath) throws(SystemError) -> OpenFile
    /// Makes the directory `path` and those above it; existing ones are left as they are.
    func makeDirectories(_ path: FilePath) throws(SystemError)
    /// Opens the part at `path` with what it holds, made when missing; `nil` while another run has it open.
    func openPart(_ path: FilePath) throws(SystemError) -> OpenFile?
    /// Cuts a part to its first `size` bytes.
    func cut(_ part: OpenFile, to size: Int64) throws(SystemError)
    /// Sets when the file last changed.
    func setModified(_ time: FileTime, of file: OpenFile) throws(SystemError)
    /// Returns when the file's content and time are on the disk itself.
    func synchronize(_ file: OpenFile) throws(SystemError)
    /// Gives a part its own name; `EEXIST` where that is taken.
    func place(_ part: FilePath, as path: FilePath) throws(SystemError)
    /// Removes the file at `path`.
    func remove(_ path: FilePath) throws(SystemError)
    /// Returns when the names in the directory `path` are on the disk itself.
    func synchronize(directory path: FilePath) throws(SystemError)
}

extension RestoreFolder {
    /// The file that has the name of a directory above `path`; `nil` if there is none.
    func file(above path: FilePath) throws(SystemError) -> FilePath? {
        var above = path.parent
        while !above.isEmpty {
            // If nothing is there, look further up; below a file nothing can be.
            guard let kind = try facts(of: above)?.kind else {
                above = above.parent
                continue
            }
            return kind == .file ? above : nil
        }
        return nil
    }

    /// Throws if the disk refuses the file's name, before its bytes are fetched.
    func checkName(of target: RestoreTarget) throws(SystemError) {
        // Most such names can be looked up without an error, and are refused only when they are made.
        _ = try facts(of: target.place)
        guard let trial = target.trial, try openPart(trial) != nil else { return }
        try remove(trial)
    }

    /// Gives a part its own name; `false` where that is taken.
    package func placeIfFree(_ part: FilePath, as path: FilePath) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try place(part, as: path)
            return true
        } catch {
            guard error.isPresent else { throw error }
            return false
        }
    }
}
