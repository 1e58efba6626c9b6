import Platform

/// A directory on the disk in memory that no other simulator uses.
///
/// Orders depend on the path, because paths are hashed; so it hardly varies, and a replay uses the same place.
struct SimulatorFolder {
    let place: Int
    private let lock: FileLock

    var path: FilePath { Self.base.appending("\(place)") }

    /// Where the state that most histories begin with is kept.
    var emptyState: FilePath { Self.base.appending("empty\(place)") }

    private static let base = FilePath("/dev/shm/gallery-sync-simulate")

    /// Takes the first free place, or the `wanted` one only.
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
