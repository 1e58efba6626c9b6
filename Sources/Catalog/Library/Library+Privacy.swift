import Platform

extension Library {
    /// Creates the database's file if it is missing, and makes all of its files private to their owner.
    ///
    /// SQLite gives the files beside it the same mode. The file is opened here only to create it, when no connection
    /// can hold locks on it yet.
    static func makePrivate(_ path: FilePath) throws(SystemError) {
        do throws(SystemError) {
            _ = try OpenFile(creating: path, exclusive: true)
        } catch {
            guard error.isPresent else { throw error }
            for end in ["", "-wal", "-shm"] { try FileFacts.makePrivate(FilePath(bytes: path.bytes + Array(end.utf8))) }
        }
    }
}
