package import Platform
package import Roots

/// A file to make thumbnails of, and the name they get.
package struct ThumbnailSource: Hashable, Sendable {
    /// Absolute.
    package let file: FilePath
    /// Below the target, without extension.
    package private(set) var name: FilePath
    /// Whether the user named it; a file found in a directory need not be media.
    package let isNamed: Bool
    /// Bytes; 0 where the file cannot be examined.
    package private(set) var size: Int64 = 0
    /// `nil` where the file cannot be examined.
    package private(set) var identity: Identity?
    /// Why a directory could not be listed; its content is not known.
    private(set) var unlisted: SystemError?

    /// The same for two names of one file.
    package struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64

        init(_ facts: FileFacts) {
            device = facts.device
            inode = facts.inode
        }
    }

    private init(file: FilePath, name: FilePath, isNamed: Bool) {
        self.file = file
        self.name = name
        self.isNamed = isNamed
        // A file that cannot be examined fails with a message when it is read.
        if let facts = try? FileFacts.existing(file) {
            size = facts.size
            identity = Identity(facts)
        }
    }

    /// The named files, and the files in named directories, which keep their paths below those.
    ///
    /// Directories are walked by `rules`, and not into `target`. Two files whose thumbnails would have one name
    /// (`IMG_1.HEIC` and `IMG_1.MOV`) keep their extensions in it.
    package static func all(in paths: [FilePath], rules: IgnoreRules, except target: FilePath) throws
        -> [ThumbnailSource]
    {
        var sources: [ThumbnailSource] = []
        for path in paths {
            if try FileFacts.existing(path)?.kind == .directory {
                sources += try found(in: path, rules: rules, except: target)
            } else {
                sources.append(ThumbnailSource(file: path, name: FilePath(bytes: path.name), isNamed: true))
            }
        }
        let counts = Dictionary(sources.map { (stem($0.name), 1) }, uniquingKeysWith: +)
        for index in sources.indices {
            let stem = stem(sources[index].name)
            if counts[stem] == 1 { sources[index].name = stem }
        }
        return sources
    }

    private static func found(
        in folder: FilePath, rules: IgnoreRules, except target: FilePath
    ) throws -> [ThumbnailSource] {
        var sources: [ThumbnailSource] = []
        try TreeWalk.walk(
            try Directory(folder),
            enter: { rules.reasonForDirectory(at: $0) == nil && folder.appending($0) != target },
            visit: { (listing: DirectoryListing) throws(SystemError) in
                if let failure = listing.failure {
                    var source = ThumbnailSource(
                        file: folder.appending(listing.path), name: listing.path, isNamed: true)
                    source.unlisted = failure
                    sources.append(source)
                }
                for entry in listing.entries where entry.kind == .file {
                    let below = listing.path.appending(entry.name)
                    guard rules.reasonForFile(at: below) == nil else { continue }
                    sources.append(ThumbnailSource(file: folder.appending(below), name: below, isNamed: false))
                }
            })
        return sources.sorted { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }
    }

    private static func stem(_ path: FilePath) -> FilePath {
        FilePath(bytes: Array(path.bytes.dropLast(path.fileExtension.count)))
    }
}
