import Glibc

extension Connection {
    /// What SQLite puts beside a database, named by what it appends.
    private static let companions = ["", "-wal", "-shm"]

    /// Sees to it that only its owner may read the database at `path`; SQLite gives its companions the same mode.
    ///
    /// To be called before SQLite opens the file: its locks are POSIX locks, and all that a process has on a file
    /// go when it closes any descriptor of it. So an existing file is never opened here, only changed by its name.
    static func makePrivate(_ path: String) {
        var status = stat()
        for companion in companions where lstat(path + companion, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 else { continue }
            // Where that is not permitted, opening for writing says why.
            chmod(path + companion, 0o600)
        }
        let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 { close(made) }
    }
}
