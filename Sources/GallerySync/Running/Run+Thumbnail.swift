import FoundationEssentials
import Gallery
import MediaModel
import Platform

extension Run {
    /// `thumbnail FILE… -o DIR`: thumbnails only, without queue, library or storage.
    func thumbnail(_ request: ThumbnailRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        guard let workers = try mediaWorkers(setup.settings, always: true) else { return .internalError }
        let sizes = request.sizes.isEmpty ? setup.settings.thumbnails.sizes : request.sizes
        let target = surroundings.absolute(request.target)
        try Directory.create(at: target, mode: 0o755)
        let maker = ThumbnailMaker(
            workers: workers, target: target,
            specs: sizes.map { ThumbnailSpec(longSide: $0, maxBytes: setup.settings.thumbnails.maxBytes) })
        let sources = try ThumbnailSource.all(in: request.files.map(surroundings.absolute))
        let ended = try await interruptible {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for source in sources {
                    group.addTask {
                        let made = await maker.make(source)
                        try self.tell(made)
                        return made.failure == nil
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 0 : 1 }
            }
        }
        return switch ended {
        case .interrupted(let signal): ExitCode(signal)
        case .finished(let failures): failures > 0 ? .someFailed : .success
        }
    }

    private func tell(_ made: ThumbnailMaker.Made) throws {
        if invocation.isJSON { return try console.result(bytes: made.line()) }
        if let failure = made.failure { return console.note("\(made.source): \(failure)") }
        try console.result(made.pictures)
    }
}

/// A file to make thumbnails of, and the name they get.
struct ThumbnailSource: Hashable, Sendable {
    let file: FilePath
    /// Below the target, without extension.
    let name: FilePath

    /// The files named and those in the directories named, each below its directory's own structure.
    static func all(in paths: [FilePath]) throws -> [ThumbnailSource] {
        var sources: [ThumbnailSource] = []
        for path in paths {
            let isDirectory = try FileFacts.existing(path)?.kind == .directory
            guard isDirectory else {
                sources.append(ThumbnailSource(file: path, name: stem(FilePath(bytes: path.name))))
                continue
            }
            TreeWalk.walk(try Directory(path)) { (listing: DirectoryListing) in
                for entry in listing.entries where entry.kind == .file {
                    let below = listing.path.appending(entry.name)
                    sources.append(ThumbnailSource(file: path.appending(below), name: stem(below)))
                }
            }
        }
        return sources
    }

    private static func stem(_ path: FilePath) -> FilePath {
        FilePath(bytes: Array(path.bytes.dropLast(path.fileExtension.count)))
    }
}

/// Makes the thumbnails of single files and writes them below a directory.
struct ThumbnailMaker: Sendable {
    let workers: any MediaExamining
    let target: FilePath
    let specs: [ThumbnailSpec]

    /// What became of one file.
    struct Made: Sendable {
        let source: String
        var facts: MediaFacts?
        /// Paths of the pictures written.
        var pictures: [String] = []
        /// Why there are none.
        var failure: String?

        /// The outcome as one line of JSON, `gallery-sync/thumbnail/1`.
        func line() throws -> [UInt8] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .iso8601
            let document = Line(source: source, facts: facts, thumbnails: pictures, failure: failure)
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

    /// Examines `source` and writes its pictures; never throws, a bad file is a failure of its own.
    func make(_ source: ThumbnailSource) async -> Made {
        var made = Made(source: source.file.display)
        do {
            let file = try OpenFile(reading: source.file)
            let header = try file.read(at: 0, upTo: MediaIdentity.headerLength)
            guard let identity = MediaIdentity(header: header, fileExtension: source.file.fileExtension) else {
                made.failure = "neither its bytes nor its name say media"
                return made
            }
            switch await workers.examine(file, MediaJob(type: identity.type, specs: specs)) {
            case .examined(let facts, let thumbnails):
                made.facts = facts
                for thumbnail in thumbnails { made.pictures.append(try write(thumbnail, source.name)) }
                if thumbnails.isEmpty { made.failure = facts.notes.first ?? "it has no picture" }
            case let outcome: made.failure = outcome.reason
            }
        } catch {
            made.failure = "\(error)"
        }
        return made
    }

    /// `<name>-<size>.jpg`, or `<name>.jpg` where only one size was asked for.
    private func write(_ thumbnail: Thumbnail, _ name: FilePath) throws(SystemError) -> String {
        let suffix = specs.count > 1 ? "-\(thumbnail.spec.longSide).jpg" : ".jpg"
        let path = target.appending(FilePath(bytes: name.bytes + Array(suffix.utf8)))
        try Directory.create(at: path.parent, mode: 0o755)
        try OpenFile(creating: path, mode: 0o644).append(thumbnail.jpeg)
        return path.display
    }
}
