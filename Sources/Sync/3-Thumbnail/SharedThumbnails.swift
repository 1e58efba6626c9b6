import Formats
import MediaModel
package import Platform

/// The thumbnails that the programs of a desktop share (freedesktop's Thumbnail Managing Standard, 0.9).
///
/// Pictures are named after where a file lies, not after its content.
package struct SharedThumbnails: Sendable {
    private let folder: FilePath

    /// The cache in `folder`, usually `~/.cache/thumbnails`; need not exist.
    package init(folder: FilePath) { self.folder = folder }

    /// A place in the cache: a folder, and the longer side of what lies in it.
    private enum Size: Int, CaseIterable {
        case large = 256
        case extraLarge = 512

        var name: String { self == .large ? "large" : "x-large" }
    }

    /// The most bytes of a picture that is looked at.
    private static let limit = 16 << 20

    /// The pictures of the file at `path` that are missing or of another version of it; blocks.
    ///
    /// There are none for files of the cache itself.
    func wanted(for path: FilePath, modifiedAt time: FileTime) throws(SystemError) -> [ThumbnailSpec] {
        guard path.relative(to: folder) == nil else { return [] }
        var specs: [ThumbnailSpec] = []
        for size in Size.allCases where try !isCurrent(size, path, time) {
            specs.append(ThumbnailSpec(longSide: size.rawValue, format: .png))
        }
        return specs
    }

    private func isCurrent(_ size: Size, _ path: FilePath, _ time: FileTime) throws(SystemError) -> Bool {
        let place = self.place(size, path)
        guard let facts = try FileFacts.existing(place), facts.kind == .file, facts.size <= Self.limit,
            let known = SharedPNG(try OpenFile(reading: place).readAll(limit: Self.limit))
        else { return false }
        return Self.texts(path, time).allSatisfy { known.texts[$0.keyword] == $0.text }
    }

    /// Keeps a picture of the file at `path`, in place of an older one; blocks.
    ///
    /// Keeps only a plain PNG of the right size, because a hostile file may have taken over the worker that made it.
    func keep(_ thumbnail: Thumbnail, of path: FilePath, modifiedAt time: FileTime) throws(SystemError) {
        guard let size = Size(rawValue: thumbnail.spec.longSide), let picture = SharedPNG(thumbnail.bytes),
            picture.isPlain(side: size.rawValue)
        else { return }
        let place = place(size, path)
        try Directory.create(at: place.parent)
        let (directory, name) = (try Directory(place.parent), FilePath(bytes: place.name))
        try directory.makeFile(beside: name) { file, fresh throws(SystemError) in
            try file.write(picture.file(with: Self.texts(path, time)), at: 0)
            try directory.rename(fresh, to: name)
        }
    }

    private func place(_ size: Size, _ path: FilePath) -> FilePath {
        folder.appending(size.name).appending(MD5.hash(Self.uri(path).utf8).hexadecimal + ".png")
    }

    private static func texts(_ path: FilePath, _ time: FileTime) -> [(keyword: String, text: String)] {
        let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return [("Thumb::URI", uri(path)), ("Thumb::MTime", String(rest < 0 ? seconds - 1 : seconds))]
    }

    private static func uri(_ path: FilePath) -> String { "file://" + PercentEncoding.file.encoded(path.bytes) }
}
