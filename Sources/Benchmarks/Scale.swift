/// How much every row measures.
struct Scale: Hashable, Sendable {
    /// Files of the gallery.
    var assets: Int
    /// Files of 64 KiB sent beside curl.
    var uploads: Int
    /// Bytes of the one large upload.
    var largeBytes: Int64
    /// Pictures of 12 megapixels of each format; a quarter as many videos of each kind.
    var media: Int
    /// Durable changes of the queue.
    var transitions: Int
    /// Runs of each side; the median counts.
    var rounds: Int
    /// Seconds that an idle watch is looked at.
    var idleSeconds: Int

    var videos: Int { max(2, media / 4) }

    /// The sizes the goals are stated for, as far as a run of some minutes allows.
    static let full = Scale(
        assets: 100_000, uploads: 5_000, largeBytes: 1 << 30, media: 48, transitions: 400_000, rounds: 5,
        idleSeconds: 20)
    /// A look at every row in a few minutes; enough pictures that starting up is a small part of making them.
    static let quick = Scale(
        assets: 5_000, uploads: 500, largeBytes: 64 << 20, media: 24, transitions: 50_000, rounds: 2, idleSeconds: 5)
}
