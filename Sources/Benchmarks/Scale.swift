/// How much every row measures.
struct Scale: Hashable, Sendable {
    /// Files of the gallery.
    var assets: Int
    /// Files of 64 KiB sent beside curl.
    var uploads: Int
    /// Bytes of the one large upload.
    var largeBytes: Int64
    /// Pictures of 12 megapixels in each format; a quarter as many videos of each kind.
    var media: Int
    /// Durable changes of the queue.
    var transitions: Int
    /// Runs of each side, of which the median counts.
    var rounds: Int
    /// Seconds for which an idle watch is observed.
    var idleSeconds: Int

    var videos: Int { max(2, media / 4) }

    /// The sizes for which the goals are stated, as far as a run of some minutes allows.
    static let full = Scale(
        assets: 100_000, uploads: 5_000, largeBytes: 1 << 30, media: 48, transitions: 400_000, rounds: 5,
        idleSeconds: 20)
    /// Sizes for every row in a few minutes, with enough pictures to make a program's start a small part of the time.
    static let quick = Scale(
        assets: 5_000, uploads: 500, largeBytes: 64 << 20, media: 24, transitions: 50_000, rounds: 2, idleSeconds: 5)
}
