import Platform

/// A directory on the disk in memory that no other simulator uses.
///
/// Its path hardly varies: paths are hashed, and so have a say in orders. A history is played once more in the same place.
struct SimulatorFolder {
    let place: Int
    private let lock: FileLock

    var path: FilePath { Self.base.appending("\(place)") }

    /// Where what most histories begin with lies beside them.
    var emptyState: FilePath { Self.base.appending("empty\(place)") }

    private static let base = FilePath("/dev/shm/gallery-sync-simulate")

    /// Takes the first place that is free, or none but the one that is `wanted`.
    init(wanted: Int?) throws {
        try Directory.create(at: Self.base)
        for place in wanted.map({ $0...$0 }) ?? 0...99 {
            guard let lock = try FileLock.acquire(Self.base.appending("lock\(place)"), contents: []) else { continue }
            self.lock = lock
            self.place = place
            return
        }
        throw SystemError(call: "flock", code: 11, path: Self.base)
    }
}
