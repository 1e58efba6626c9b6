import Platform

/// The comparison of two directory trees by name, time and every byte.
struct TreeComparison: Sendable {
    /// Files that are the same in both.
    private(set) var same = 0
    /// Bytes of the files that are the same.
    private(set) var bytes: Int64 = 0
    /// One sentence for each difference.
    private(set) var differences: [String] = []

    /// Compares the files below `original` that `counts` accepts with those below `copy`; blocks.
    init(_ original: FilePath, with copy: FilePath, counting counts: (FilePath) -> Bool) throws {
        let left = try Self.files(below: original).filter(counts)
        let right = try Self.files(below: copy)
        for path in left { try compare(path, original, copy, isThere: right.contains(path)) }
        for path in right.subtracting(left).sorted() { differences.append("\(path) is only in the copy") }
    }

    private mutating func compare(
        _ path: FilePath, _ original: FilePath, _ copy: FilePath, isThere: Bool
    ) throws {
        guard isThere else {
            differences.append("\(path) is missing")
            return
        }
        let (left, right) = (
            try OpenFile(reading: original.appending(path)), try OpenFile(reading: copy.appending(path))
        )
        let (facts, copied) = (try left.facts(), try right.facts())
        var found: [String] = []
        if facts.modifiedAt != copied.modifiedAt { found.append("another time") }
        if facts.size != copied.size {
            found.append("another size")
        } else if try SHA256.hash(of: left) != SHA256.hash(of: right) {
            found.append("other bytes")
        }
        if !found.isEmpty {
            differences.append("\(path) has \(found.joined(separator: " and "))")
        } else {
            same += 1
            bytes += facts.size
        }
    }

    private static func files(below root: FilePath) throws -> Set<FilePath> {
        var found: Set<FilePath> = []
        TreeWalk.walk(try Directory(root)) { (listing: DirectoryListing) in
            for entry in listing.entries where entry.kind == .file { found.insert(listing.path.appending(entry.name)) }
        }
        return found
    }
}
