import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Reconciling
import Records
import Roots
import Simulation
import Supabase
import Sync
import Text

/// A second computer with files of its own, which stores them under the same prefix of the same bucket.
///
/// Nothing goes wrong on it, because only the effects of the two agents on each other matter.
final class Neighbour: Sendable {
    private let folder: FilePath
    private let storage: StorageModel
    private let files = Simulated<[FilePath: [UInt8]]>([:])
    private let isBusy = Simulated(false)

    init(folder: FilePath, storage: StorageModel) {
        self.folder = folder
        self.storage = storage
    }

    private var gallery: FilePath { folder.appending(GalleryModel.roots[0]) }

    /// Runs its user's errand; returns words about the result.
    func run(_ errand: Deed.Errand) async -> String {
        do {
            switch errand {
            case .create(let number, let content):
                let name = Self.name(number)
                let bytes = GalleryModel.content(number, content, size: 100)
                try Directory.create(at: gallery.appending(name).parent)
                try OpenFile(creating: gallery.appending(name)).write(bytes, at: 0)
                files.value[name] = bytes
                return "done"
            case .delete(let number):
                guard files.value.removeValue(forKey: Self.name(number)) != nil else { return "not there" }
                try Directory(gallery).remove(file: Self.name(number))
                return "done"
            case .sync, .verify, .repair:
                guard !files.value.isEmpty, !isBusy.value else { return "not now" }
                isBusy.value = true
                defer { isBusy.value = false }
                return try await carryOut(errand)
            }
        } catch {
            return "failed: \(error)"
        }
    }

    /// Names that the first computer does not have.
    private static func name(_ number: Int) -> FilePath { GalleryModel.name(number % 10 + 30) }

    /// Whether an object under `key` belongs to one of its files.
    static func stores(_ key: String) -> Bool {
        (0..<10).contains { key.hasPrefix(GalleryModel.roots[0] + "/" + name($0).display) }
    }

    private func carryOut(_ errand: Deed.Errand) async throws -> String {
        let locations = try Locations(
            for: LocationRequest(
                environment: ["HOME": folder.display], stateDirectory: folder.appending("state"), user: 0))
        guard case .taken(let lock) = try StateLock.acquire(locations) else { return "its state is locked" }
        var settings = Settings()
        settings.roots = [Settings.Root(path: gallery)]
        let setup = Agent.Setup(
            settings: settings, locations: locations,
            destination: Destination(endpoint: StorageModel.endpoint, bucket: StorageModel.bucket),
            credentials: StorageCredentials(key: storage.serviceKey), transport: StraightLine(to: storage),
            workers: ModelWorkers(fails: { 0 }, failed: { _ in }))
        return try await Agent(setup, lock: lock).run(.pass) { agent in
            guard errand != .sync else { return "\(try await agent.sync([]))" }
            var order = VerifyOrder()
            order.isRepairing = errand == .repair
            return "\(try await agent.verify(order).ending)"
        }
    }

    /// Stores what is still to be stored; returns sentences about files that are not stored byte for byte.
    func settled() async throws -> [String] {
        guard !files.value.isEmpty else { return [] }
        while isBusy.value { try await Task.sleep(for: .seconds(60)) }
        let ending = await run(.sync)
        let objects = try await storage.objects()
        return files.value.sorted { $0.key < $1.key }.filter { name, bytes in
            objects["\(GalleryModel.roots[0])/\(name)"] != bytes
        }.map { "the second computer's \($0.key) is not stored as it is (its pass ended \(ending))" }
    }
}
