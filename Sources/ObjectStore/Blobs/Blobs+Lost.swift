import Platform

/// Files below `objects` that are not objects, and where they are moved.
extension Blobs {
    /// The folder that a start moves unknown files to.
    var lost: FilePath { root.parent.appending("lost") }

    /// Suffixes of files that an unfinished request leaves; no client was told that any of them is stored.
    private static let unfinished = [".part", ".new"]

    /// Visits the name of every blob; removes unfinished ones, and rows whose blob is gone.
    ///
    /// A file in a directory where no blob of that name belongs is visited as `0a/stray`, with the directory.
    func each(_ visit: (String) throws -> Void) throws {
        let folder = try Directory(root)
        for part in try folder.names() where try folder.facts(of: part).kind == .directory {
            let disk = try openDisk(root.appending(part))
            let names = try disk.names()
            let blobs = Set(names)
            for name in names {
                if name.hasSuffix(Self.rowSuffix) {
                    let version = String(name.dropLast(Self.rowSuffix.count))
                    // A row is put back before its blob: after a kill in between, the blob is still in `lost`.
                    if try blobs.contains(version) || FileFacts.existing(lost.appending(FilePath(version))) != nil {
                        continue
                    }
                }
                let meansNothing = ([Self.rowSuffix] + Self.unfinished).contains(where: name.hasSuffix)
                if meansNothing, Self.remove(name, on: disk) { continue }
                try visit(name.hasPrefix(part.display) ? name : "\(part.display)/\(name)")
            }
        }
    }

    /// Whether the file was removed; a directory of that name cannot be.
    private static func remove(_ name: String, on disk: any Disk) -> Bool {
        if case .success = Result(catching: { () throws(SystemError) in try disk.remove(name) }) { true } else { false }
    }

    /// Whether anything is or was stored; a list of buckets alone counts.
    func exist() throws -> Bool {
        for name in [BucketList.name, OldJournal.name] {
            if try FileFacts.existing(root.appending(name)) != nil { return true }
        }
        var isThere = false
        try each { _ in isThere = true }
        return isThere
    }

    /// The size in bytes of the blob of `version`; `nil` when there is none.
    func length(of version: String) throws(SystemError) -> Int64? { try FileFacts.existing(path(of: version))?.size }

    /// Whether the blob is complete: it has the size of `row` and, if the eTag is a hash of all bytes, also that eTag.
    func isWhole(_ row: IndexedObject) throws(SystemError) -> Bool {
        guard try length(of: row.version) == row.content.size else { return false }
        // The eTag of an object in parts is not a hash of the whole.
        guard !row.content.eTag.contains("-") else { return true }
        let digest = MD5()
        try read(row.version) { piece in digest.update(piece) }
        return row.content.eTag == "\"\(digest.finish().hexadecimal)\""
    }

    /// The path below the root of what `each` found.
    func place(of found: String) -> FilePath { found.contains("/") ? FilePath(found) : name(of: found) }

    /// Moves a blob that `each` found to `lost`, together with its row file; existing files there stay.
    func setAside(_ found: String) throws {
        try Directory.create(at: lost)
        let place = FilePath(bytes: root.name).appending(place(of: found))
        let name = FilePath(bytes: place.name).display
        try move(name, from: place.parent, to: "lost", as: freeName(name))
    }

    /// `name`, or else `name.2`, `name.3` and so on: the first for which `lost` has neither a blob nor a row.
    private func freeName(_ name: String) throws(SystemError) -> String {
        let taken = Set(try Directory(lost).names())
        var (free, number) = (name, 1)
        while taken.contains(FilePath(free)) || taken.contains(FilePath(Self.rowName(free))) {
            number += 1
            free = "\(name).\(number)"
        }
        return free
    }

    /// Moves the blob of `version` back from `lost`; `false` if no blob of `size` bytes is there.
    func putBack(_ version: String, size: Int64) throws -> Bool {
        guard let facts = try FileFacts.existing(lost.appending(version)), facts.size == size else { return false }
        let directory = try disk(of: version)
        try move(version, from: "lost", to: FilePath(bytes: root.name).appending(name(of: version)).parent, as: version)
        try directory.synchronizeDirectory()
        return true
    }

    /// Moves a blob within the data folder, its row first, because a row without its blob does no harm.
    private func move(_ version: String, from source: FilePath, to target: FilePath, as name: String) throws {
        let folder = try Directory(root.parent)
        for (old, new) in [(Self.rowName(version), Self.rowName(name)), (version, name)] {
            let isThere = try folder.existingFacts(of: source.appending(old)) != nil
            guard isThere || old == version else { continue }
            try folder.rename(source.appending(old), to: target.appending(new), replacing: false)
        }
    }

    /// Renames the file at `path` so that its name says when it was put aside; returns that name.
    @discardableResult
    func keepAside(_ path: FilePath) throws -> FilePath {
        let now = ServerTime(milliseconds: FileTime.now.nanoseconds / 1_000_000)
        let kept = FilePath(bytes: path.name + ".\(now.compact)".utf8)
        try Directory(path.parent).rename(FilePath(bytes: path.name), to: kept, replacing: false)
        return kept
    }
}
