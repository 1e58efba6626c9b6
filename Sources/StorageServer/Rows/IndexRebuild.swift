package import Platform

/// What making `index.sqlite` anew from the blobs alone came to.
package struct IndexRebuild: Hashable, Sendable {
    package var buckets = 0
    package var objects = 0
    /// Where the index before lies now; `nil` when there was none.
    package var keptIndex: FilePath?
    /// Blobs that carry no row or an older one of a key, as they lie below `objects`; they are left there.
    package var unplaced: [String] = []
    /// Sentences about what was done besides.
    package var findings: [String] = []

    /// Whether everything that lies there has its row.
    package var isWhole: Bool { unplaced.isEmpty }

    /// Makes the index of `path` anew; the one before is kept beside it, and nothing is removed.
    ///
    /// Users who signed in by e-mail sign in again. Throws `StorageFolderInUse` while a server has the folder, and
    /// `NothingToRebuildFrom` where no blob lies there.
    package init(of path: FilePath) throws {
        guard try FileFacts.existing(path.appending("objects")) != nil else { throw NothingToRebuildFrom(folder: path) }
        // Any secret: nothing is signed.
        let folder = try DataFolder(path, secret: String(repeating: "-", count: DataFolder.secretLength))
        defer { folder.unlock() }
        let blobs = try Blobs(root: folder.objects) { path throws(SystemError) in try LocalDisk(directory: path) }
        let newest = try NewestNote(in: folder.objects)
        guard try blobs.exist() else { throw NothingToRebuildFrom(folder: path) }
        keptIndex = try Self.putAside(path.appending("index.sqlite"), by: blobs)
        let index = try IndexSchema.open(folder.index)
        let settlement = try Settlement(of: index, with: blobs, note: nil, setsAside: false)
        let number = ChangeNumbers(after: try max(index.greatestNumber(), newest.before?.number ?? 0)).next()
        try index.set(number: number)
        try newest.begin(at: number)
        findings = settlement.findings
        buckets = Int(try index.count(of: "buckets"))
        objects = Int(try index.count(of: "objects"))
        unplaced = try settlement.unplaced()
    }

    /// Keeps the database at `path` with what SQLite put beside it, under one name.
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

/// There is nothing to make an index of.
package struct NothingToRebuildFrom: Error, CustomStringConvertible {
    let folder: FilePath

    package var description: String {
        "\(folder.display): nothing is stored below objects, so that there is nothing to make an index of"
    }
}
