import Glibc

extension FileFacts {
    /// Removes all rights of group and others from the file at `path`, if it exists.
    ///
    /// Works by name: opening and closing a file releases the locks that this process has on it (POSIX, fcntl).
    package static func makePrivate(_ path: FilePath) throws(SystemError) {
        guard let facts = try existing(path), facts.mode & 0o077 != 0 else { return }
        let mode = mode_t(facts.mode & 0o700)
        _ = try present { () throws(SystemError) in
            try SystemError.check("chmod", path) { path.withCString { chmod($0, mode) } }
        }
    }
}
