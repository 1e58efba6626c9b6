import Glibc

extension FileFacts {
    /// Takes from everybody but its owner what rights `path` gives them, if there is such a file.
    ///
    /// By its name: to open and close a file drops the locks that this process has on it (POSIX, fcntl).
    package static func makePrivate(_ path: FilePath) throws(SystemError) {
        guard let facts = try existing(path), facts.mode & 0o077 != 0 else { return }
        let mode = mode_t(facts.mode & 0o700)
        _ = try present { () throws(SystemError) in
            try SystemError.check("chmod", path) { path.withCString { chmod($0, mode) } }
        }
    }
}
