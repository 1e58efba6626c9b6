/// One request to a media worker: the facts of a file and thumbnails of the given sizes.
package struct MediaJob: Codable, Hashable, Sendable {
    /// Identifies the job; repeated in its answer.
    package var id: Int
    /// The type by the file's first bytes.
    package var type: MediaType
    /// The sizes of the thumbnails; empty when only the facts are needed.
    package var specs: [ThumbnailSpec]
    /// How much work and memory the file may take.
    package var limits: MediaLimits
    /// The colour behind transparent parts of a picture.
    package var background: RGBColour

    /// A job whose `id` the pool sets before sending it.
    package init(
        id: Int = 0, type: MediaType, specs: [ThumbnailSpec], limits: MediaLimits = MediaLimits(),
        background: RGBColour = .white
    ) {
        self.id = id
        self.type = type
        self.specs = specs
        self.limits = limits
        self.background = background
    }

    /// The long side of the largest thumbnail, in pixels; 1 when only the facts are needed.
    package var longSide: Int { specs.map(\.longSide).max() ?? 1 }

    /// The part of the seconds of processor time for a file that this one may take, at least one.
    ///
    /// A drawing gets a sixth: a few lines may ask for any amount of work, which nothing ends before they are drawn,
    /// while none of 382 public drawings took half a second. A document gets all, though a damaged one may ask for as
    /// much: Poppler takes a quarter of the usual time for a page of A3 scanned at 600 dots an inch, in JPEG 2000.
    package func processorTime(of seconds: Int) -> Int {
        type.isDrawing ? max(1, seconds / 6) : seconds
    }

    /// The exit code of a media worker that cannot take any job; it says nothing about a file.
    package static let serveFailure: Int32 = 71
}

/// How much work one file may cause before it is given up.
package struct MediaLimits: Codable, Hashable, Sendable {
    /// Pixels of a picture or frame, width times height.
    package var maxPixels: Int
    /// Bytes read from the start of a file to find out what is in it.
    package var probeBytes: Int
    /// Seconds of work on one video's poster, after which the best frame so far is used.
    package var posterSeconds: Double
    /// Key frames compared for a video's poster, by size in bytes; the two largest by their content.
    package var posterCandidates: Int

    /// Limits with the usual values; the agent sets only `posterCandidates`.
    package init(
        maxPixels: Int = 300_000_000, probeBytes: Int = 16 << 20, posterSeconds: Double = 3, posterCandidates: Int = 5
    ) {
        self.maxPixels = maxPixels
        self.probeBytes = probeBytes
        self.posterSeconds = posterSeconds
        self.posterCandidates = posterCandidates
    }
}

/// A media worker's answer to one job.
package struct MediaAnswer: Hashable, Sendable {
    /// The `id` of the job.
    package let id: Int
    /// What the worker found, or why it found nothing.
    package let result: Result

    /// How a job ended.
    package enum Result: Hashable, Sendable {
        /// The facts and the thumbnails; where a thumbnail is missing, a note in the facts says why.
        case examined(MediaFacts, [Thumbnail])
        /// The file could not be read, in the decoder's words.
        case failed(String)
        /// The file needs more memory than the worker may use.
        case outOfMemory
    }

    /// The answer to the job with this `id`.
    package init(id: Int, result: Result) {
        self.id = id
        self.result = result
    }
}
