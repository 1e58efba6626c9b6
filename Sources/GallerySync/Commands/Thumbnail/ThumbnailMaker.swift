import Configuration
import FoundationEssentials
import Gallery
import MediaModel
import Output
import Platform
import Sync
import Uploading

/// Makes the thumbnails of single files and writes them below a directory.
struct ThumbnailMaker: Sendable {
    let workers: any MediaExamining
    let settings: Settings.Thumbnails
    let folder: ThumbnailFolder

    /// The outcome for one file.
    struct Made: Sendable {
        let source: ThumbnailSource
        var facts: MediaFacts?
        /// Paths of the pictures written.
        var pictures: [String] = []
        /// Why there are no pictures.
        var failure: String?
        /// Why there are none although nothing failed.
        var remark: String?
        /// Whether it was found in a directory and is no media file.
        var isNoMedia = false

        /// The outcome as one line of JSON, `gallery-sync/thumbnail/1`.
        func line() throws -> [UInt8] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .iso8601
            let document = Line(source: source.file.display, facts: facts, thumbnails: pictures, failure: failure)
            return Array(try encoder.encode(document)) + [UInt8(ascii: "\n")]
        }

        private struct Line: Encodable {
            let schema = "gallery-sync/thumbnail/1"
            let source: String
            let facts: MediaFacts?
            let thumbnails: [String]
            let failure: String?
        }
    }

    /// Examines `source` and writes its pictures; a bad file is a failure of its own.
    func make(_ source: ThumbnailSource) async -> Made {
        var made = Made(source: source)
        do {
            if let unlisted = source.unlisted { throw unlisted }
            let file = try OpenFile(reading: source.file)
            let header = try file.read(at: 0, upTo: MediaIdentity.headerLength)
            let identity = MediaIdentity(header: header, fileExtension: source.file.fileExtension)
            guard let identity, identity.kind != .sidecar else {
                made.isNoMedia = !source.isNamed
                made.failure = source.isNamed ? "neither its bytes nor its name say photo or video" : nil
                return made
            }
            try await fill(&made, from: file, identity)
        } catch {
            made.failure = "\(error)"
        }
        return made
    }

    private func fill(_ made: inout Made, from file: OpenFile, _ identity: MediaIdentity) async throws {
        let specs = folder.sizes.map { settings.spec($0) }
        switch await workers.examine(file, settings.job(identity.type, specs: specs)) {
        case .examined(var facts, let thumbnails):
            if let note = identity.note { facts.notes.insert(note, at: 0) }
            made.facts = facts
            for thumbnail in thumbnails { made.pictures.append(try folder.write(thumbnail, made.source.name)) }
            guard thumbnails.isEmpty else { return }
            let reason = facts.notes.first ?? "it has no picture"
            if facts.kind == .audio { made.remark = reason } else { made.failure = reason }
        case let outcome: made.failure = outcome.reason
        }
    }
}

/// Where thumbnails are written.
struct ThumbnailFolder: Sendable {
    let path: FilePath
    let sizes: [Int]
    let format: ThumbnailFormat
    /// Files that no thumbnail may replace.
    let protected: Set<ThumbnailSource.Identity>

    /// A thumbnail would replace a file that thumbnails are made of.
    struct WouldReplaceSource: Error, CustomStringConvertible {
        let path: FilePath
        var description: String {
            "its thumbnail would replace \(path.display), which is kept; choose another directory with --output"
        }
    }

    /// Throws `OutputTaken` where a thumbnail of `sources` would replace something else.
    func check(_ sources: [ThumbnailSource]) throws {
        for source in sources {
            for size in sizes { try file(source.name, size: size).check() }
        }
    }

    /// Writes `<name>-<size>.<format>`, or `<name>.<format>` for a single size; atomically.
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
