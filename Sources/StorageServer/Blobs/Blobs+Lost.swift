import Platform

/// What lies below `objects` and is no object, and where it goes.
extension Blobs {
    /// The journal of what the rows say, beside the blobs.
    var journal: FilePath { root.appending(RowJournal.name) }

    /// Where a start puts what it cannot place.
    var lost: FilePath { root.parent.appending("lost") }

    /// What a request leaves that never ended; nobody was told that any of it is stored.
    private static let unfinished = ".part"

    /// Moves every blob that `isUnnamed` to `lost`, and removes unfinished ones; returns the names of the moved.
    func setAside(where isUnnamed: (String) throws -> Bool) throws -> [String] {
        var moved: [String] = []
        try each { disk, shelf, name in
            if name.hasSuffix(Self.unfinished) { return try disk.remove(name) }
            guard try isUnnamed(name) else { return }
            if moved.isEmpty { try Directory.create(at: lost) }
            try Directory(root.parent).rename(
                FilePath(bytes: root.name).appending(shelf).appending(name), to: FilePath("lost").appending(name),
                replacing: false)
            moved.append(name)
        }
        return moved
    }

    /// The blobs that `isUnnamed` picks, as they lie below the root.
    func names(where isUnnamed: (String) throws -> Bool) throws -> [String] {
        var names: [String] = []
        try each { _, shelf, name in
            if try !name.hasSuffix(Self.unfinished) && isUnnamed(name) { names.append("\(shelf)/\(name)") }
        }
        return names
    }

    private func each(_ visit: (_ disk: any Disk, _ shelf: FilePath, _ name: String) throws -> Void) throws {
        let folder = try Directory(root)
        for shelf in try folder.names() where try folder.facts(of: shelf).kind == .directory {
            let disk = try openDisk(root.appending(shelf))
            for name in try disk.names() { try visit(disk, shelf, name) }
        }
    }

    /// Whether the blob of `version` is there with `size` bytes; one among the lost is put back.
    func hasBlob(_ version: String, size: Int64) throws -> Bool {
        if let facts = try FileFacts.existing(path(of: version)) { return facts.size == size }
        guard let facts = try FileFacts.existing(lost.appending(version)), facts.size == size else { return false }
        try disk(of: version).synchronizeDirectory()
        let folder = try Directory(root.parent)
        try folder.rename(
            FilePath("lost").appending(version), to: FilePath(bytes: root.name).appending(name(of: version)),
            replacing: false)
        try disk(of: version).synchronizeDirectory()
        return true
    }

    /// Gives the file at `path` a name that says when it was put aside; returns that name.
    @discardableResult
    func keepAside(_ path: FilePath) throws -> FilePath {
        let now = CivilTime(milliseconds: FileTime.now.nanoseconds / 1_000_000)
        let kept = FilePath(bytes: path.name + ".\(now.compact)".utf8)
        try Directory(path.parent).rename(FilePath(bytes: path.name), to: kept, replacing: false)
        return kept
    }
}
