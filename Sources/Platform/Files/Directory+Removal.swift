extension Directory {
    /// Removes the directory at `path` and its content; does nothing when it is missing.
    ///
    /// No symlink is followed. Stops at the first failure, with part of the tree removed.
    package static func removeTree(at path: FilePath) throws(SystemError) {
        guard try FileFacts.existing(path, followingLinks: false) != nil else { return }
        let parent = try Directory(path.parent.isEmpty ? "." : path.parent)
        try parent.removeTree(FilePath(bytes: path.name))
    }

    /// Removes what `name` names in this directory, with everything below it.
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
