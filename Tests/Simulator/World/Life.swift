import Configuration
import Gallery
import Platform
import Queue
import Simulation

/// One process of the agent: from its start until it ends, crashes or is stopped.
final class Life: Sendable {
    /// How it ended.
    enum End: Sendable {
        case byItself
        /// A crash; this is what is left on the disk.
        case crash(Life)
    }

    let number: Int
    /// Below it lie state and cache.
    let folder: FilePath
    /// The state's directory, except for the database.
    let state: ModelDisk
    let quarantine: ModelDisk
    /// Whether nothing it sends goes out any more.
    let isCut = Simulated(false)
    let end = Outcome<End>()
    let task = Simulated<Task<Void, Never>?>(nil)
    let agent = Simulated<Agent?>(nil)
    /// What users wait for; it ends with the process.
    let orders = Simulated<[Task<Void, Never>]>([])
    /// Orders to send nothing of some files that are being carried out.
    let cancelling = Simulated(0)
    private let diskMeets: @Sendable (Seam) -> Int32

    init(
        number: Int, below folder: FilePath, state: [String: [UInt8]] = [:], quarantine: [String: [UInt8]] = [:],
        diskMeets: @escaping @Sendable (Seam) -> Int32
    ) throws {
        self.number = number
        self.folder = folder.appending("life\(number)")
        self.diskMeets = diskMeets
        // A dead agent writes nothing down any more, so it does little with files that the next one uses, too.
        let meets: @Sendable (Seam) -> Int32 = { [isCut] in isCut.value ? 5 : diskMeets($0) }
        self.state = ModelDisk(state, meets: meets)
        self.quarantine = ModelDisk(quarantine, meets: meets)
        try Directory.create(at: self.folder)
    }

    func locations() throws -> Locations {
        try Locations(
            for: LocationRequest(
                environment: ["HOME": folder.parent.display], stateDirectory: folder, user: 0))
    }

    /// A task of this process.
    func spawn(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task { await Threads.$current.withValue(SimulatedThreads(isDead: isCut), operation: body) }
    }

    /// Opens the directory of the state, or the quarantine in it.
    func disk(_ path: FilePath) -> any Disk {
        FilePath(bytes: path.name).display == "quarantine" ? quarantine : state
    }

    /// The items that a process would find that starts now; nothing is changed.
    func itemsLeft() throws -> [Item] {
        let copies = [state.files, quarantine.files].map { files in ModelDisk(files) { _ in 0 } }
        return try QueueStore(disk: copies[0], quarantine: copies[1]).load().entries
    }

    /// What a process finds that starts after this one crashed at this moment.
    func heir(after crash: Deed.Crash, _ random: inout SplitMix) throws -> Life {
        let isCut = crash == .powerCut
        let heir = try Life(
            number: number + 1, below: folder.parent,
            state: isCut ? state.survivors(&random) : crash == .decay ? state.decayed(&random) : state.files,
            quarantine: isCut ? quarantine.survivors(&random) : quarantine.files, diskMeets: diskMeets)
        let (old, new) = (try locations(), try heir.locations())
        // The queue's files are on the model's disk.
        try CrashedFolder(old.state).copy(to: new.state, after: crash, &random) {
            $0.hasPrefix("library.sqlite") || $0.hasPrefix("audit")
        }
        try CrashedFolder(old.thumbnails).copy(to: new.thumbnails, after: crash, &random)
        return heir
    }
}
