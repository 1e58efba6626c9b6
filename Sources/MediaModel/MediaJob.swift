/// One question to a media worker: the facts of a file and these pictures of it.
package struct MediaJob: Codable, Hashable, Sendable {
    /// Repeated in the answer.
    package var id: Int
    /// What the file's first bytes say.
    package var type: MediaType
    /// Empty when only the facts are wanted.
    package var specs: [ThumbnailSpec]
    package var limits: MediaLimits
    /// What shows through where a picture is transparent.
    package var background: RGBColour

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
}

/// How much one file may ask for before it is given up.
package struct MediaLimits: Codable, Hashable, Sendable {
    /// Pixels of a picture or frame, width times height.
    package var maxPixels: Int
    /// Bytes read from the start of a file to find out what is in it.
    package var probeBytes: Int
    /// Seconds of work on the poster of one video, after which the best frame so far is taken.
    package var posterSeconds: Double
    /// Key frames of a video that are compared for its poster: by their bytes, the two largest by their looks.
    package var posterCandidates: Int

    package init(
        maxPixels: Int = 300_000_000, probeBytes: Int = 16 << 20, posterSeconds: Double = 3, posterCandidates: Int = 5
    ) {
        self.maxPixels = maxPixels
        self.probeBytes = probeBytes
        self.posterSeconds = posterSeconds
        self.posterCandidates = posterCandidates
    }
}

/// What a media worker says about one job.
package struct MediaAnswer: Hashable, Sendable {
    /// The job's.
    package let id: Int
    package let result: Result

    package enum Result: Hashable, Sendable {
        /// Pictures may be missing; then a note in the facts says why.
        case examined(MediaFacts, [Thumbnail])
        /// Nothing could be learnt, in the decoder's words.
        case failed(String)
        /// The file wants more memory than the worker may have.
        case outOfMemory
    }

    package init(id: Int, result: Result) {
        self.id = id
        self.result = result
    }
}
