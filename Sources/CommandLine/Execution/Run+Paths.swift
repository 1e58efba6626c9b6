package import Platform

extension Run {
    /// Real paths of directories that are there.
    package func directories(_ paths: [FilePath]) throws -> [FilePath] {
        try paths.map { path in
            do throws(SystemError) {
                return try surroundings.absolute(path).resolved()
            } catch {
                throw UsageError(message: "\(path): \(error.reason).", command: nil)
            }
        }
    }

    /// The directory's real path with the file's own name, which may be a symlink or gone.
    package func real(_ file: FilePath) throws -> FilePath {
        let path = surroundings.absolute(file)
        guard try FileFacts.existing(path.parent) != nil else { return path }
        return try path.parent.resolved().appending(path.name)
    }
}
