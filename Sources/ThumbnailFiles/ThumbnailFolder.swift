package import MediaModel
import Output
package import Platform

/// The directory that thumbnails are written into.
package struct ThumbnailFolder: Sendable {
    let path: FilePath
    let sizes: [Int]
    let format: ThumbnailFormat
    /// Files that no thumbnail may replace.
    let protected: Set<ThumbnailSource.Identity>

    /// The directory at `path`, for pictures of `sizes`; none of them replaces a file of `protected`.
    package init(path: FilePath, sizes: [Int], format: ThumbnailFormat, protected: Set<ThumbnailSource.Identity>) {
        (self.path, self.sizes, self.format, self.protected) = (path, sizes, format, protected)
    }

    /// A thumbnail would replace a file that a thumbnail is made of.
    struct WouldReplaceSource: Error, CustomStringConvertible {
        let path: FilePath
        var description: String {
            "its thumbnail would replace \(path.display), which is kept; choose another directory with --output"
        }
    }

    /// Throws `OutputTaken` if a thumbnail of `sources` would replace a file that is not ours.
    package func check(_ sources: [ThumbnailSource]) throws {
        for source in sources {
            for size in sizes { try file(source.name, size: size).check() }
        }
    }

    /// Atomically writes `<name>-<size>.<format>`, or `<name>.<format>` if there is a single size.
    func write(_ thumbnail: Thumbnail, _ name: FilePath) throws -> String {
        let file = file(name, size: thumbnail.spec.longSide)
        try Directory.create(at: file.path.parent, mode: 0o755)
        if let facts = try FileFacts.existing(file.path), protected.contains(ThumbnailSource.Identity(facts)) {
            throw WouldReplaceSource(path: file.path)
        }
        try file.write(MarkedPicture.bytes(of: thumbnail.bytes, format), mode: 0o644)
        return file.path.display
    }

    private func file(_ name: FilePath, size: Int) -> OutputFile {
        let suffix = (sizes.count > 1 ? "-\(size)." : ".") + format.fileExtension
        return MarkedPicture.file(
            path.appending(FilePath(bytes: name.bytes + Array(suffix.utf8))), format, kind: "thumbnail")
    }
}
