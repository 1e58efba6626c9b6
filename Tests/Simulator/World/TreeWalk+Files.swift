import Platform

extension TreeWalk {
    /// The paths of all files below `directory`, as the disk holds them.
    static func files(below directory: FilePath) throws -> [FilePath] {
        var found: [FilePath] = []
        try walk(Directory(directory)) { (listing: DirectoryListing) in
            found += listing.entries.filter { $0.kind == .file }.map { listing.path.appending($0.name) }
        }
        return found
    }
}
