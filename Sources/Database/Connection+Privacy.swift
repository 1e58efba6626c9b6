import Glibc

extension Connection {
    /// The suffixes of a database file and of the files that SQLite keeps beside it.
    private static let companions = ["", "-wal", "-shm"]

    /// Makes the database at `path` and the files beside it, where they exist, readable by its owner only.
    ///
    /// Creates the database empty where it is missing; SQLite gives the files beside it the same mode. Call it before
    /// SQLite opens the file: its locks are POSIX locks, and a process loses all its locks on a file when it closes any
    /// descriptor of it. So an existing file is changed by name and never opened here.
    static func makePrivate(_ path: String) {
        var status = stat()
        for companion in companions where lstat(path + companion, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 else { continue }
            // Where this is not permitted, opening the file for writing reports why.
            chmod(path + companion, 0o600)
        }
        let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 { close(made) }
    }
}
