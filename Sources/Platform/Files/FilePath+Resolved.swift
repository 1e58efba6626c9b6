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

    /// The same absolute path with the letter case that its directories list; unchanged if that is not known.
    package var listed: FilePath {
        guard let below = relative(to: "/"), let root = try? Directory("/") else { return self }
        let spelt = (try? root.spelling(of: below)).flatMap { $0 }
        return spelt.map { ("/" as FilePath).appending($0) } ?? self
    }

    /// The same place without `.`, `..` and doubled slashes, but with symlinks that have no `..` after them.
    ///
    /// Looks at the disk only before a `..`, which leads out of a symlink's target and not out of its name.
    package var plain: FilePath {
        guard isAbsolute else { return self }
        return components.reduce("/") { path, name in
            if name == [UInt8(ascii: ".")] { return path }
            guard name == Array("..".utf8) else { return path.appending(name) }
            let facts = (try? FileFacts.existing(path, followingLinks: false)).flatMap { $0 }
            let target = facts?.kind == .symlink ? try? path.resolved() : nil
            let place = target ?? path
            return place == "/" ? place : place.parent
        }
    }
}
