import MediaModel
import Platform
import Sync

/// A worker that identifies everything as a movie, and makes one picture per size.
struct PainterDouble: MediaExamining {
    /// Whether it finds sound alone, and so makes no pictures.
    var findsSound = false

    func examine(_ file: OpenFile, _ job: MediaJob) async -> MediaOutcome {
        if findsSound { return .examined(MediaFacts(kind: .audio, type: job.type, notes: ["Sound only"]), []) }
        let size = (try? file.facts().size) ?? 0
        let thumbnails = job.specs.map { spec in
            Thumbnail(spec: spec, width: 4, height: 3, bytes: Array("picture of \(size) \(spec.longSide)".utf8))
        }
        return .examined(MediaFacts(kind: .video, type: job.type), thumbnails)
    }

    func tend() async {}
}
