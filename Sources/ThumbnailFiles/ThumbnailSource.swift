package import Platform
package import Roots

/// A file to make thumbnails of, and the name they get.
package struct ThumbnailSource: Hashable, Sendable {
    /// The file's absolute path.
    package let file: FilePath
    /// The name of its thumbnails below the target, without extension.
    package private(set) var name: FilePath
    /// Whether the user named it; a file found in a directory need not be media.
    package let isNamed: Bool
    /// The file's bytes; 0 if it cannot be examined.
    package private(set) var size: Int64 = 0
    /// The file's identity; `nil` if it cannot be examined.
    package private(set) var identity: Identity?
    /// Why `file`, if it is a directory, could not be listed.
    private(set) var unlisted: SystemError?

    /// Device and inode of a file, which are the same for all its names.
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
        // The error is ignored, because such a file fails with a message when it is read.
        if let facts = try? FileFacts.existing(file) {
            size = facts.size
            identity = Identity(facts)
        }
    }

    /// The named files, and the files in named directories, which keep their paths below those.
    ///
    /// Directories are walked by `rules`, except for `target`. A file that is named twice occurs once.
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
        return toldApart(sources)
    }

    /// The sources with names that differ and are as short as possible.
    ///
    /// Sources that would have the same name (`IMG_1.HEIC` and `IMG_1.MOV`) keep their extensions, and if that is not
    /// enough, as many of their directories as are needed.
    private static func toldApart(_ sources: [ThumbnailSource]) -> [ThumbnailSource] {
        var known: Set<FilePath> = []
        var sources = sources.filter { known.insert($0.place).inserted }
        var lengths = sources.map { _ in 0 }
        while true {
            let names = zip(sources, lengths).map { $0.name(of: $1) }
            let shared = Dictionary(grouping: names.indices) { names[$0] }.values.filter { $0.count > 1 }
            // Only the shortest names become longer, because that may already tell the others apart.
            let longer = shared.flatMap { indices in
                let least = indices.map { lengths[$0] }.min() ?? 0
                return indices.filter { lengths[$0] == least && sources[$0].name(of: least + 1) != names[$0] }
            }
            guard !longer.isEmpty else {
                for index in sources.indices { sources[index].name = names[index] }
                return sources
            }
            for index in longer { lengths[index] += 1 }
        }
    }

    /// The name of a length: 0 is without the extension, 1 with it, and each further one adds a directory.
    private func name(of length: Int) -> FilePath {
        guard length > 0 else { return Self.stem(name) }
        let all = file.components
        let inner = all.suffix(name.components.count + length - 1)
        // Steps up are cut off, because a name must not lead out of the folder.
        let up = inner.lastIndex { $0 == Array("..".utf8) }
        return inner.suffix(from: up.map { $0 + 1 } ?? inner.startIndex).reduce(FilePath(bytes: [])) {
            $0.appending($1)
        }
    }

    /// The file's path with its directory resolved, the same however the directory is spelled.
    private var place: FilePath { (try? file.parent.resolved())?.appending(file.name) ?? file }

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
