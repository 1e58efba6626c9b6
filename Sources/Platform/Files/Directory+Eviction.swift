extension Directory {
    /// Where all files below a directory are more than `limit` bytes, removes the oldest of them.
    ///
    /// They are removed until at most `goal` bytes are left, by the times of their last change; returns the bytes that
    /// are left and those that were freed.
    package func evict(
        beyond limit: Int64, to goal: Int64
    ) throws(SystemError) -> (left: Int64, freed: Int64) {
        var files: [(path: FilePath, facts: FileFacts)] = []
        TreeWalk.walk(self) { (listing: DirectoryListing) in
            for entry in listing.entries {
                guard let facts = entry.facts, entry.kind == .file else { continue }
                files.append((listing.path.appending(entry.name), facts))
            }
        }
        let total = files.reduce(Int64(0)) { $0 + $1.facts.size }
        guard total > limit else { return (total, 0) }
        var left = total
        for file in files.sorted(by: { $0.facts.modifiedAt < $1.facts.modifiedAt }) where left > goal {
            try remove(file: file.path)
            left -= file.facts.size
        }
        return (left, total - left)
    }
}
