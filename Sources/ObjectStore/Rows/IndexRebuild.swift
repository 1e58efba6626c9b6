package import Platform

/// The result of rebuilding `index.sqlite` from the blobs alone.
package struct IndexRebuild: Hashable, Sendable {
    /// How many buckets the new index has.
    package var buckets = 0
    /// How many objects the new index has.
    package var objects = 0
    /// Where the previous index is kept; `nil` when there was none.
    package var keptIndex: FilePath?
    /// Blobs below `objects` without a row, or with an older row than another blob of the key; they are left in place.
    package var unplaced: [String] = []
    /// Sentences about everything else that was repaired.
    package var findings: [String] = []

    /// Whether every blob has its row in the index.
    package var isWhole: Bool { unplaced.isEmpty }

    /// Rebuilds the index of the folder `path`; keeps the previous one beside it, and removes nothing.
    ///
    /// Users who signed in by e-mail must sign in again. Throws `StorageFolderInUse` while a server uses the folder,
    /// and `NothingToRebuildFrom` where it has no blob.
    package init(of path: FilePath) throws {
        guard try FileFacts.existing(path.appending("objects")) != nil else { throw NothingToRebuildFrom(folder: path) }
        // Any secret will do, since no token is signed.
        let folder = try DataFolder(path, secret: String(repeating: "-", count: DataFolder.secretLength))
        defer { folder.unlock() }
        let blobs = try Blobs(root: folder.objects) { path throws(SystemError) in try LocalDisk(directory: path) }
        let newest = try NewestNote(in: folder.objects)
        guard try blobs.exist() else { throw NothingToRebuildFrom(folder: path) }
        keptIndex = try Self.putAside(path.appending("index.sqlite"), by: blobs)
        let index = try IndexSchema.open(folder.index)
        let settlement = try Settlement(of: index, with: blobs, note: nil, setsAside: false)
        let number = ChangeNumbers(after: max(settlement.greatestNumber, newest.before?.number ?? 0)).next()
        try index.set(number: number)
        try newest.begin(at: number)
        findings = settlement.findings
        buckets = Int(try index.count(of: "buckets"))
        objects = Int(try index.count(of: "objects"))
        unplaced = try settlement.unplaced()
    }

    /// Renames the database at `path`, and the files that SQLite keeps beside it, to one new name.
    private static func putAside(_ path: FilePath, by blobs: Blobs) throws -> FilePath? {
        guard try FileFacts.existing(path, followingLinks: false) != nil else { return nil }
        let kept = try blobs.keepAside(path)
        let folder = try Directory(path.parent)
        for companion in ["-wal", "-shm"] {
            let name = FilePath(bytes: path.name + companion.utf8)
            guard try folder.existingFacts(of: name) != nil else { continue }
            try folder.rename(name, to: FilePath(bytes: kept.bytes + companion.utf8), replacing: false)
        }
        try folder.synchronize()
        return path.parent.appending(kept)
    }
}

/// The folder contains nothing from which an index could be rebuilt.
package struct NothingToRebuildFrom: Error, CustomStringConvertible {
    let folder: FilePath

    /// A sentence that names the folder.
    package var description: String {
        "\(folder.display): nothing is stored below objects, so that there is nothing to make an index of"
    }
}
