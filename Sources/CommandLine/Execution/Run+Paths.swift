package import Platform

extension Run {
    /// The real paths of existing directories.
    package func directories(_ paths: [FilePath]) throws -> [FilePath] {
        try paths.map { path in
            let absolute = try surroundings.absolute(path)
            do throws(SystemError) {
                return try absolute.resolved()
            } catch {
                throw UsageError("\(path)", error)
            }
        }
    }

    /// The absolute path of a directory for output, which need not exist yet; throws if something else has the name.
    package func folder(_ path: FilePath) throws -> FilePath {
        let path = try surroundings.absolute(path)
        guard let facts = try FileFacts.existing(path), facts.kind != .directory else { return path }
        throw UsageError(message: "\(path.display) is no directory.")
    }

    /// The bytes of a file that an option names; throws `UsageError` if it cannot be read.
    package func contents(of path: FilePath) throws -> [UInt8] {
        let absolute = try surroundings.absolute(path)
        do throws(SystemError) {
            return try OpenFile(reading: absolute).readAll(limit: 16 << 20)
        } catch {
            throw UsageError("\(path.display) cannot be read", error)
        }
    }

    /// The real path of the file's directory with the file's own name, which may be a symlink or missing.
    package func real(_ file: FilePath) throws -> FilePath {
        let path = try surroundings.absolute(file)
        guard try FileFacts.existing(path.parent) != nil else { return path }
        return try path.parent.resolved().appending(path.name)
    }
}
