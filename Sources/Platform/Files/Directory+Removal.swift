extension Directory {
    /// Removes the directory at `path` with everything in it, following no symlink; nothing happens when it is missing.
    package static func removeTree(at path: FilePath) throws(SystemError) {
        guard try FileFacts.existing(path, followingLinks: false) != nil else { return }
        let parent = try Directory(path.parent.isEmpty ? "." : path.parent)
        try parent.removeTree(FilePath(bytes: path.name))
    }

    /// Removes what `name` names in this directory, and everything below it.
    private func removeTree(_ name: FilePath) throws(SystemError) {
        guard try facts(of: name).kind == .directory else {
            try remove(file: name)
            return
        }
        let directory = try open(directory: name)
        for child in try directory.names() { try directory.removeTree(child) }
        try remove(directory: name)
    }
}
