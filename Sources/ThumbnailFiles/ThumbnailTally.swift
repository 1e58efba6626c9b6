package import Sync
import Text

/// How far a run over several files has come.
package struct ThumbnailTally: Sendable {
    private let total: Int
    private let bytesTotal: Int64
    private var done = 0
    private var bytesDone: Int64 = 0
    private var pictures = 0
    /// The files that have no pictures although they should.
    package private(set) var failed = 0
    private var noMedia = 0

    /// The tally of a run over `sources` before its first file.
    package init(_ sources: [ThumbnailSource]) {
        total = sources.count
        bytesTotal = sources.reduce(0) { $0.adding(size: $1.size) }
    }

    /// Counts a file that is done.
    package mutating func count(_ made: ThumbnailMaker.Made) {
        done += 1
        bytesDone = bytesDone.adding(size: made.source.size)
        pictures += made.pictures.count
        if made.failure != nil { failed += 1 }
        if made.isNoMedia { noMedia += 1 }
    }

    /// The tally as a line of progress shows it.
    package var progress: Progress {
        Progress(
            counts: [Progress.Count(.thumbnail, done: done, of: total, failed: failed)], bytesDone: bytesDone,
            bytesTotal: bytesTotal)
    }

    /// The tally in words, such as `12 thumbnails of 13 files, 1 failed, 2 are no media`.
    package var summary: String {
        let files = done - noMedia
        var parts = [
            "\(Quantity.text(pictures, "thumbnail")) of "
                + Quantity.text(files, "file")
        ]
        if failed > 0 { parts.append("\(Quantity.text(count: failed)) failed") }
        if noMedia > 0 { parts.append("\(Quantity.text(count: noMedia)) left out: no media") }
        return parts.joined(separator: ", ")
    }
}
