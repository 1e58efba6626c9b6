import FoundationEssentials
import Gallery
import Platform
import Queue

/// Changes of the queue that are on disk before the caller continues.
enum QueueRow {
    static let benchmark = Benchmark("queue", "durable changes of the upload queue") { bench in
        let folder = try await bench.fresh(.queue)
        var rates: [Double] = []
        for round in 0..<bench.scale.rounds {
            let state = folder.appending("\(round)")
            try Directory.create(at: state)
            rates.append(try await rate(of: bench.scale.transitions, in: state))
        }
        return [
            Measurement(
                "durable changes of the queue, \(hands) at once", Figure(Rounds.median(rates), .changesPerSecond),
                goal: .atLeast(50_000))
        ]
    }

    /// The number of tasks that change the queue at the same time.
    private static let hands = 256
    /// The changes of an item: added, claimed, sent, verified.
    private static let changesPerItem = 4

    private static func rate(of changes: Int, in state: FilePath) async throws -> Double {
        let queue = try UploadQueue(store: try QueueStore(state: state), now: Date())
        let each = max(1, changes / changesPerItem / hands)
        let start = ContinuousClock.now
        let made = try await withThrowingTaskGroup(of: Int.self) { group in
            for hand in 0..<hands {
                group.addTask {
                    var made = 0
                    for number in 0..<each { made += try await pass(item(hand * each + number), through: queue) }
                    return made
                }
            }
            return try await group.reduce(0, +)
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try await queue.close()
        return Double(made) / seconds
    }

    /// Takes one item from `add` to `verified`; the claimed item may be one that another task added.
    ///
    /// Returns the number of changes: fewer than four if there was nothing to add or to claim.
    static func pass(_ item: Item, through queue: UploadQueue) async throws -> Int {
        let added = try await queue.add(item, origin: .backlog, now: Date()) == .added ? 1 : 0
        guard let claimed = try await queue.claim(now: Date()) else { return added }
        try await queue.finish(claimed.id, .sent, now: Date())
        try await queue.finish(claimed.id, .verified, now: Date())
        return added + 3
    }

    static func item(_ number: Int) -> Item {
        let path = GalleryFiles.path(number)
        return Item(
            root: "Pictures", path: path, role: .original, contentType: "image/jpeg", size: 123_456,
            sha256: SHA256.hash(path.bytes).hexadecimal, modifiedAt: FileTime(nanoseconds: Int64(number)),
            bucket: "media", objectKey: ObjectKey(root: "Pictures", path: path), now: Date())
    }
}
