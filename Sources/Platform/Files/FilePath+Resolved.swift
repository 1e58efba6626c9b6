import Glibc

extension FilePath {
    /// The directory that relative paths start from.
    package static func workingDirectory() throws(SystemError) -> FilePath {
        try FilePath(".").resolved()
    }

    /// The absolute path without symlinks, `.` and `..`; throws where it names nothing.
    package func resolved() throws(SystemError) -> FilePath {
        guard let resolved = withCString({ realpath($0, nil) }) else {
            throw SystemError(call: "realpath", code: errno, path: self)
        }
        defer { free(resolved) }
        return FilePath(
            bytes: UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(truncatingIfNeeded:)))
    }
}
