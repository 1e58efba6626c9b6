import CommandLine
import Configuration
import FoundationEssentials
import Gallery
import MediaModel
import Output
import Platform
import Roots
import Sync
import Synchronization
import Text
import ThumbnailFiles

extension Run {
    /// `thumbnail FILE… -o DIR`: makes thumbnails, without queue, library or storage.
    func thumbnail(_ request: ThumbnailRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        guard let workers = try mediaWorkers(setup.settings, always: true) else { return .internalError }
        let settings = setup.settings
        let sizes = request.sizes.isEmpty ? settings.thumbnails.sizes : request.sizes
        let target = try folder(request.target)
        try Directory.create(at: target, mode: 0o755)
        let rules = IgnoreRules(settings.scan)
        let sources = try ThumbnailSource.all(
            in: request.files.map(surroundings.absolute), rules: rules, except: target)
        let folder = ThumbnailFolder(
            path: target, sizes: sizes, format: settings.thumbnails.format,
            protected: Set(sources.compactMap(\.identity)))
        try folder.check(sources)
        let maker = ThumbnailMaker(workers: workers, settings: settings.thumbnails, folder: folder)
        let tally = Mutex(ThumbnailTally(sources))
        let ended = try await interruptible {
            try await showing({ tally.withLock(\.progress) }) { try await make(sources, with: maker, tally: tally) }
        }
        if case .interrupted(let signal) = ended { return ExitCode(signal) }
        let result = tally.withLock(\.self)
        if !invocation.isJSON, !invocation.isQuiet { console.note(result.summary) }
        return result.failed > 0 ? .someFailed : .success
    }

    /// Makes thumbnails of a few sources at a time, because a waiting source holds its file open.
    private func make(
        _ sources: [ThumbnailSource], with maker: ThumbnailMaker, tally: borrowing Mutex<ThumbnailTally>
    ) async throws {
        var rest = sources[...]
        try await withThrowingTaskGroup(of: ThumbnailMaker.Made.self) { group in
            for source in rest.prefix(16) { group.addTask { try await maker.make(source) } }
            rest = rest.dropFirst(16)
            while let made = try await group.next() {
                if let source = rest.popFirst() { group.addTask { try await maker.make(source) } }
                tally.withLock { $0.count(made) }
                try tell(made)
            }
        }
    }

    private func tell(_ made: ThumbnailMaker.Made) throws {
        if made.isNoMedia { return }
        if invocation.isJSON { return try console.result(json: made.line()) }
        if let words = made.failure ?? made.remark {
            return console.note("\(DisplayText.safe(made.source.file.display)): \(DisplayText.safe(words))")
        }
        if !invocation.isQuiet { try console.result(made.pictures.map(DisplayText.safe)) }
    }
}
