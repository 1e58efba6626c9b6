package import Platform

/// What making `index.sqlite` anew from the journal of rows and the blobs came to.
package struct IndexRebuild: Hashable, Sendable {
    package var buckets = 0
    package var objects = 0
    /// Where the index before lies now; `nil` when there was none.
    package var keptIndex: FilePath?
    /// Objects whose bytes are nowhere, as `bucket/key`.
    package var missing: [String] = []
    /// Blobs that no row names, as they lie below `objects`; they are left there.
    package var unplaced: [String] = []
    /// Lines of the journal that are not as they were written.
    package var damagedLines = 0
    /// Sentences about what was done besides.
    package var findings: [String] = []

    /// Whether everything that lies there has its row and every row its bytes.
    package var isWhole: Bool { missing.isEmpty && unplaced.isEmpty && damagedLines == 0 }

    /// Makes the index of `path` anew; the one before is kept beside it, and nothing is removed.
    ///
    /// Users who signed in by e-mail sign in again. Throws `StorageFolderInUse` while a server has the folder, and
    /// `NothingToRebuildFrom`.
    package init(of path: FilePath) throws {
        guard try FileFacts.existing(path.appending("objects")) != nil else { throw NothingToRebuildFrom(folder: path) }
        // Any secret: nothing is signed.
        let folder = try DataFolder(path, secret: String(repeating: "-", count: DataFolder.secretLength))
        defer { folder.unlock() }
        let blobs = try Blobs(root: folder.objects) { path throws(SystemError) in try LocalDisk(directory: path) }
        guard try JournalReader(at: blobs.journal)?.header != nil else { throw NothingToRebuildFrom(folder: path) }
        keptIndex = try Self.putAside(path.appending("index.sqlite"), by: blobs)
        let index = try IndexSchema.open(folder.index)
        let settlement = try Settlement(of: index, with: blobs)
        (missing, damagedLines, findings) = (settlement.missing, settlement.damagedLines, settlement.findings)
        buckets = Int(try index.count(of: "buckets"))
        objects = Int(try index.count(of: "objects"))
        unplaced = try blobs.names { try !index.isNamed(version: $0) }
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

/// There is no journal of rows to make an index of.
package struct NothingToRebuildFrom: Error, CustomStringConvertible {
    let folder: FilePath

    package var description: String {
        "\(folder.display): no objects/rows.jsonl that can be read, so that there is nothing to make an index of"
    }
}
