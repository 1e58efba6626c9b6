package import Platform

extension ThumbnailCache {
    private struct Entry {
        let path: FilePath
        let size: Int64
        let modifiedAt: FileTime
    }

    /// Removes the oldest pictures until at most `limit` bytes are left; returns how many bytes that freed.
    ///
    /// A picture that is needed again is made again.
    package func evict(beyond limit: Int64) throws(SystemError) -> Int64 {
        guard try FileFacts.existing(folder) != nil else { return 0 }
        let directory = try Directory(folder)
        var entries: [Entry] = []
        var total: Int64 = 0
        TreeWalk.walk(directory) { (listing: DirectoryListing) in
            for entry in listing.entries {
                guard let facts = entry.facts, entry.kind == .file else { continue }
                let path = listing.path.appending(entry.name)
                entries.append(Entry(path: path, size: facts.size, modifiedAt: facts.modifiedAt))
                total += facts.size
            }
        }
        var freed: Int64 = 0
        for entry in entries.sorted(by: { $0.modifiedAt < $1.modifiedAt }) where total - freed > limit {
            try directory.remove(file: entry.path)
            freed += entry.size
        }
        return freed
    }
}
