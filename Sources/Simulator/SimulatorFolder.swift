import Platform

/// A directory on the disk in memory that no other simulator uses.
///
/// Its path hardly varies: paths are hashed, and so have a say in orders.
struct SimulatorFolder {
    let path: FilePath
    private let lock: FileLock

    private static let base = FilePath("/dev/shm/gallery-sync-simulate")

    /// Takes the first that is free.
    init() throws {
        try Directory.create(at: Self.base)
        for number in 0..<100 {
            guard let lock = try FileLock.acquire(Self.base.appending("lock\(number)"), contents: []) else { continue }
            self.lock = lock
            path = Self.base.appending("\(number)")
            return
        }
        throw SystemError(call: "flock", code: 11, path: Self.base)
    }
}
