package import MediaModel
package import Platform

/// A thumbnail that lies in the cache.
package struct CachedThumbnail: Hashable, Sendable {
    /// Pixels of the longer side that were asked for.
    package let size: Int
    /// How it is encoded.
    package let format: ThumbnailFormat
    /// Of the picture, 64 lowercase hex digits.
    package let sha256: String
    /// Of the picture's file; items name its size and its time.
    package let facts: FileFacts
}

/// The pictures on this computer: `<first 2 of hash>/<hash>-<size>.<format>`, named after the asset's content.
///
/// Losing a picture costs only the work of making it again.
package struct ThumbnailCache: Sendable {
    /// The directory of all pictures; need not exist yet.
    package let folder: FilePath

    /// A cache in `folder`, which is made when the first picture is kept.
    package init(folder: FilePath) {
        self.folder = folder
    }

    /// Where the picture of a content lies, whether it exists or not.
    package func path(of sha256: String, size: Int, format: ThumbnailFormat = .jpeg) -> FilePath {
        folder.appending(String(sha256.prefix(2))).appending("\(sha256)-\(size).\(format.fileExtension)")
    }

    /// Where a picture of a content lies, and its format, whichever that is; `nil` where there is none; blocks.
    ///
    /// An empty file does not count here, either.
    package func place(of sha256: String, size: Int) throws(SystemError) -> (path: FilePath, format: ThumbnailFormat)? {
        for format in ThumbnailFormat.stored {
            let path = path(of: sha256, size: size, format: format)
            if let facts = try FileFacts.existing(path), facts.size > 0 { return (path, format) }
        }
        return nil
    }

    /// Keeps a picture of the content `sha256`; blocks.
    ///
    /// A crash or a power cut leaves the whole picture or none, because it is first written under another name and
    /// synchronized. A picture that is there already, or comes there meanwhile, stays with its time: items name its
    /// bytes and time, and an upload may be reading it.
    package func keep(_ thumbnail: Thumbnail, of sha256: String) throws(SystemError) -> CachedThumbnail {
        let content = SHA256.hash(thumbnail.bytes).hexadecimal
        let (size, format) = (thumbnail.spec.longSide, thumbnail.spec.format)
        if let known = try existing(sha256, size: size, format: format), known.sha256 == content { return known }
        try Directory.create(at: folder.appending(String(sha256.prefix(2))))
        let directory = try Directory(folder)
        let name = path(of: sha256, size: size, format: format).relative(to: folder) ?? FilePath(bytes: [])
        return try directory.makeFile(beside: name) { file, fresh throws(SystemError) in
            try file.write(thumbnail.bytes, at: 0)
            try file.synchronize()
            let kept = CachedThumbnail(size: size, format: format, sha256: content, facts: try file.facts())
            do throws(SystemError) {
                try directory.rename(fresh, to: name, replacing: false)
            } catch  where error.isPresent {
                // Equal files may be examined at the same time: all their items name the picture that came first.
                if let first = try existing(sha256, size: size, format: format), first.sha256 == content {
                    try directory.remove(file: fresh)
                    return first
                }
                try directory.rename(fresh, to: name)
            }
            return kept
        }
    }

    /// Why the cache could not keep or read a picture, in words that are the same for every file.
    package func trouble(_ error: SystemError) -> String {
        let place = "the thumbnail cache \(folder.display)"
        if error.isDiskFull { return "the disk of \(place) is full" }
        return error.isReadOnly ? "the disk of \(place) is read-only" : "\(place) cannot be used: \(error.reason)"
    }

    /// The cached picture of a content, or `nil` when there is none; blocks.
    ///
    /// An empty file does not count: earlier versions left one when the power was cut.
    package func existing(
        _ sha256: String, size: Int, format: ThumbnailFormat = .jpeg
    ) throws(SystemError) -> CachedThumbnail? {
        let path = path(of: sha256, size: size, format: format)
        guard let found = try FileFacts.existing(path), found.size > 0 else { return nil }
        let file = try OpenFile(reading: path)
        return CachedThumbnail(
            size: size, format: format, sha256: try SHA256.hash(of: file).hexadecimal, facts: try file.facts())
    }
}
