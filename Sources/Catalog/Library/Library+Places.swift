import Database
package import Platform
package import Queue

extension Library {
    /// The row of the directory `path` below `root`, made when missing.
    func directory(_ path: FilePath, in root: Int64) throws -> Int64 {
        doubtMemory()
        let place = DirectoryPath(root: root, path: path)
        if let known = directories[place] { return known }
        if let id = try existingDirectory(path, in: root) { return id }
        try write("INSERT INTO directories (root, path) VALUES (?, ?)", .integer(root), .blob(path.bytes))
        return remember(place, as: database.lastInsertedRow)
    }

    func existingDirectory(_ path: FilePath, in root: Int64) throws -> Int64? {
        doubtMemory()
        let place = DirectoryPath(root: root, path: path)
        if let known = directories[place] { return known }
        let id = try database.first(
            "SELECT id FROM directories WHERE root = ? AND path = ?", .integer(root), .blob(path.bytes)
        ) { $0.integer(0) }
        return id.map { remember(place, as: $0) }
    }

    /// The root's name and the path of a place; `nil` where the library does not know it.
    package func location(of place: Asset.Place) throws -> (root: String, path: FilePath)? {
        guard let directory = try directoryPath(place.directory) else { return nil }
        // A reader does not hear of roots that the writer adds.
        if rootNames[directory.root] == nil { rootNames = try Self.rootNames(database) }
        guard let root = rootNames[directory.root] else { return nil }
        return (root, directory.path.appending(place.name))
    }

    private func directoryPath(_ id: Int64) throws -> DirectoryPath? {
        doubtMemory()
        if let known = names[id] { return known }
        let place = try database.first("SELECT root, path FROM directories WHERE id = ?", .integer(id)) {
            DirectoryPath(root: $0.integer(0), path: FilePath(bytes: $0.blob(1)))
        }
        if let place { remember(place, as: id) }
        return place
    }

    /// The place of the file at `path` below the root called `root`, or `nil` when it was never seen.
    func place(root: String, path: FilePath) throws -> Asset.Place? {
        doubtMemory()
        guard let id = rootNames.first(where: { $0.value == root })?.key,
            let directory = try existingDirectory(path.parent, in: id)
        else { return nil }
        return Asset.Place(directory: directory, name: path.name)
    }

    /// Notes a directory's row in both maps, which only save queries and are emptied when they grow large.
    @discardableResult
    private func remember(_ place: DirectoryPath, as id: Int64) -> Int64 {
        if names.count >= 4_096 {
            names.removeAll(keepingCapacity: true)
            directories.removeAll(keepingCapacity: true)
        }
        names[id] = place
        directories[place] = id
        return id
    }
}
