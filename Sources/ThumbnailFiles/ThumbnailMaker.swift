package import Configuration
import FoundationEssentials
import MediaModel
import Platform
package import Sync

/// Makes the thumbnails of single files and writes them below a directory.
package struct ThumbnailMaker: Sendable {
    let workers: any MediaExamining
    let settings: Settings.Thumbnails
    let folder: ThumbnailFolder

    /// A maker that has `workers` make thumbnails by `settings`, and writes them into `folder`.
    package init(workers: any MediaExamining, settings: Settings.Thumbnails, folder: ThumbnailFolder) {
        (self.workers, self.settings, self.folder) = (workers, settings, folder)
    }

    /// The outcome for one file.
    package struct Made: Sendable {
        /// The file.
        package let source: ThumbnailSource
        var facts: MediaFacts?
        /// Paths of the pictures written.
        package fileprivate(set) var pictures: [String] = []
        /// Why there are no pictures.
        package fileprivate(set) var failure: String?
        /// Why there are no pictures although nothing failed.
        package fileprivate(set) var remark: String?
        /// Whether the file was found in a directory and is no media file.
        package fileprivate(set) var isNoMedia = false

        /// The outcome as one line of JSON, `gallery-sync/thumbnail/1`.
        package func line() throws -> [UInt8] {
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

    /// Examines `source` and writes its pictures; a bad file gives an outcome with a failure.
    ///
    /// Throws `SystemError` if the disk accepts no pictures, because the next one would fail, too.
    package func make(_ source: ThumbnailSource) async throws -> Made {
        var made = Made(source: source)
        do {
            if let unlisted = source.unlisted { throw unlisted }
            // Checked before opening, because opening a pipe would wait for its writer.
            guard try FileFacts(of: source.file).kind == .file else {
                made.failure = "it is no regular file"
                return made
            }
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
            let fault = error as? SystemError
            if let fault, fault.isDiskFull || fault.isReadOnly { throw fault }
            // Only the reason, because the file is named beside the failure.
            made.failure = fault.flatMap { $0.path == source.file ? $0.reason : nil } ?? "\(error)"
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
