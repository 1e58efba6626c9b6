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
        /// A crash; the life that continues on what is left on the disk.
        case crash(Life)
    }

    let number: Int
    /// The folder of state and cache.
    let folder: FilePath
    /// The state's directory, except for the database.
    let state: ModelDisk
    let quarantine: ModelDisk
    /// Whether none of its requests can leave any more.
    let isCut = Simulated(false)
    let end = Outcome<End>()
    let task = Simulated<Task<Void, Never>?>(nil)
    let agent = Simulated<Agent?>(nil)
    /// Orders whose results users wait for; they end with the process.
    let orders = Simulated<[Task<Void, Never>]>([])
    /// How many orders to leave files out are being carried out.
    let cancelling = Simulated(0)
    /// Whether its settings have it replace objects of other programs.
    let replacesForeign = Simulated(false)
    /// The places of all roots when its settings were read.
    let places = Simulated<[FilePath]>([])
    /// Whether its settings name the first root only.
    let hasOneRoot = Simulated(false)
    /// The sizes of pictures that its settings ask for.
    let sizes = Simulated<[Int]>([])
    /// Whether it stores at another destination than usual.
    let isElsewhere = Simulated(false)
    /// Whether that is a mistake of its user, and refused.
    let isRefused = Simulated(false)
    /// Whether the user signed in again in it, because its sign-in had ended.
    let wasSignedOut = Simulated(false)
    private let diskMeets: @Sendable (Seam) -> Int32
    /// The content of the model's disk when the life began.
    private let found: (state: [String: [UInt8]], quarantine: [String: [UInt8]])

    init(
        number: Int, below folder: FilePath, state: [String: [UInt8]] = [:], quarantine: [String: [UInt8]] = [:],
        diskMeets: @escaping @Sendable (Seam) -> Int32
    ) throws {
        self.number = number
        self.folder = folder.appending("life\(number)")
        self.diskMeets = diskMeets
        found = (state, quarantine)
        // A dead agent's calls fail, so that it does little with files that the next one uses.
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

    /// The items that a process would find if it started now; changes nothing.
    func itemsLeft() throws -> [Item] {
        let copies = [state.files, quarantine.files].map { files in ModelDisk(files) { _ in 0 } }
        return try QueueStore(disk: copies[0], quarantine: copies[1]).load().entries
    }

    /// Where a copy of the state's other files is kept, as they were when the life began.
    var backup: FilePath { folder.parent.appending("backup\(number)") }

    /// Copies the state that it has found, before it changes it.
    func keepBackup() throws { try CrashedFolder(try locations().state).copy(to: backup, where: Self.isOutsideModel) }

    /// Whether a file of the state is not one of those on the model's disk.
    private static func isOutsideModel(_ name: String) -> Bool {
        name.hasPrefix("library.sqlite") || name.hasPrefix("audit")
    }

    /// The life of a process that starts after this one crashes now.
    func heir(after crash: Deed.Crash, _ random: inout SplitMix) throws -> Life {
        let left: (state: [String: [UInt8]], quarantine: [String: [UInt8]]) =
            switch crash {
            case .kill, .libraryLoss: (state.files, quarantine.files)
            case .powerCut: (state.survivors(&random), quarantine.survivors(&random))
            case .decay: (state.decayed(&random), quarantine.files)
            case .backup: found
            case .loss, .queueLoss, .newComputer: ([:], [:])
            }
        let heir = try Life(
            number: number + 1, below: folder.parent, state: left.state, quarantine: left.quarantine,
            diskMeets: diskMeets)
        let (old, new) = (try locations(), try heir.locations())
        if !crash.takesLibrary {
            try CrashedFolder(crash == .backup ? backup : old.state).copy(
                to: new.state, losingPower: crash == .powerCut, &random, where: Self.isOutsideModel)
        }
        if crash.takesState { return heir }
        try CrashedFolder(old.thumbnails).copy(to: new.thumbnails, losingPower: crash == .powerCut, &random)
        return heir
    }
}
