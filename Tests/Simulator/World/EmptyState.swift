import Catalog
import Platform
import Simulation
import StorageServer

/// A library and a storage without content, for histories to begin with.
///
/// Making their tables took a tenth of a history. Virtual time makes them equal each time, so that replays agree.
struct EmptyState: Sendable {
    private let path: FilePath

    /// Makes both below `path`, which is emptied first.
    init(at path: FilePath, pulse: Pulse) throws {
        self.path = path
        try Directory.removeTree(at: path)
        try Directory.create(at: path)
        let failure = Simulated<(any Error)?>(nil)
        _ = Simulation(seed: 0, pulse: pulse).run {
            do {
                let storage = try StorageServer(
                    folder: path.appending(Self.storage), secret: StorageModel.secret, listening: [])
                await storage.stop()
                _ = try Library(path: path.appending(Self.library))
            } catch {
                failure.value = error
            }
        }
        if let error = failure.value { throw error }
    }

    private static let storage = FilePath("storage")
    private static let library = FilePath("library.sqlite")

    /// Puts the storage at `target`.
    func copyStorage(to target: FilePath) throws {
        try CrashedFolder(path.appending(Self.storage)).copy(to: target)
    }

    /// Puts the library below `target`, where the agent keeps its state.
    func copyLibrary(to target: FilePath) throws {
        try CrashedFolder(path).copy(to: target) { $0.hasPrefix(Self.library.display) }
    }
}
