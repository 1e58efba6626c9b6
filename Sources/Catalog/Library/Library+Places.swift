import Database
package import Platform
package import Queue

extension Library {
    /// The row of the directory `path` below `root`, made when missing.
    func directory(_ path: FilePath, in root: Int64) throws -> Int64 {
        if let id = try existingDirectory(path, in: root) { return id }
        try write("INSERT INTO directories (root, path) VALUES (?, ?)", .integer(root), .blob(path.bytes))
        let id = database.lastInsertedRow
        memory.remember(RowMemory.DirectoryPath(root: root, path: path), as: id)
        // A new directory on a disk that is away is not read, either.
        if isAway(path, in: root) { memory.knowsAbsences = false }
        return id
    }

    private func isAway(_ path: FilePath, in root: Int64) -> Bool {
        absences[root]?.contains { $0.isEmpty || path == $0 || path.relative(to: $0) != nil } ?? false
    }

    func existingDirectory(_ path: FilePath, in root: Int64) throws -> Int64? {
        let place = RowMemory.DirectoryPath(root: root, path: path)
        if let known = memory.directories[place] { return known }
        let id = try database.first(
            "SELECT id FROM directories WHERE root = ? AND path = ?", .integer(root), .blob(path.bytes)
        ) { $0.integer(0) }
        if let id { memory.remember(place, as: id) }
        return id
    }

    /// The root's name and the path of a place; `nil` where the library does not know it.
    package func location(of place: Asset.Place) throws -> (root: String, path: FilePath)? {
        guard let directory = try directoryPath(place.directory) else { return nil }
        // A read-only library is not told of roots that the writer adds.
        guard let root = try memory.roots?[directory.root] ?? rootNames()[directory.root] else { return nil }
        return (root, directory.path.appending(place.name))
    }

    func directoryPath(_ id: Int64) throws -> RowMemory.DirectoryPath? {
        if let known = memory.paths[id] { return known }
        let place = try database.first("SELECT root, path FROM directories WHERE id = ?", .integer(id)) {
            RowMemory.DirectoryPath(root: $0.integer(0), path: FilePath(bytes: $0.blob(1)))
        }
        if let place { memory.remember(place, as: id) }
        return place
    }

    /// The place of the file at `path` below the root called `root`, or `nil` when it was never seen.
    ///
    /// - Parameter makingDirectory: Whether a directory that was never seen gets a row.
    func place(root: String, path: FilePath, makingDirectory: Bool = false) throws -> Asset.Place? {
        guard let id = try (memory.roots ?? rootNames()).first(where: { $0.value == root })?.key,
            let directory = try makingDirectory
                ? directory(path.parent, in: id) : existingDirectory(path.parent, in: id)
        else { return nil }
        return Asset.Place(directory: directory, name: path.name)
    }

    /// The place to write down for the file of `item`; `nil` where its root is not known any more.
    ///
    /// A failed write or a power cut may have lost the rows that a scan wrote, but not the item, so its directory gets a
    /// row.
    func place(toNote item: Item) throws -> Asset.Place? {
        try place(root: item.root, path: item.filePath, makingDirectory: true)
    }

    /// Whether a root has that row, and was not forgotten.
    func knows(root: Int64) throws -> Bool { try (memory.roots ?? rootNames())[root] != nil }

    /// The names of all roots, by their rows.
    private func rootNames() throws -> [Int64: String] {
        let rows = try database.rows("SELECT id, name FROM roots") { ($0.integer(0), $0.text(1)) }
        let names = Dictionary(rows) { $1 }
        memory.roots = names
        return names
    }
}
