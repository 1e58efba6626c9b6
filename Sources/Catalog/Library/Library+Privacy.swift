import Platform

extension Library {
    /// Makes the database's file where there is none, and sees to it that nobody but its owner reads any of its files.
    ///
    /// SQLite gives the files beside it the mode that it has itself. A file is opened here only where it is made,
    /// when no database can hold locks on it yet.
    static func makePrivate(_ path: FilePath) throws(SystemError) {
        do throws(SystemError) {
            _ = try OpenFile(creating: path, exclusive: true)
        } catch {
            guard error.isPresent else { throw error }
            for end in ["", "-wal", "-shm"] { try FileFacts.makePrivate(FilePath(bytes: path.bytes + Array(end.utf8))) }
        }
    }
}
