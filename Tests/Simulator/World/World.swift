import Configuration
import Platform
import Simulation

/// Everything around one agent, for one history.
final class World: Sendable {
    let history: History
    /// Everything of this world lies below it.
    let folder: FilePath
    /// The roots; one or two.
    let galleries: [GalleryModel]
    let storage: StorageModel
    /// Whether nothing goes wrong any more.
    let isCalm = Simulated(false)
    let isOver = Simulated(false)
    let life: Simulated<Life>
    /// Lives that crashed and have not yet noticed.
    let ghosts = Simulated(0)
    /// Sentences about what must not be.
    let problems = Simulated<[String]>([])
    /// Keys of originals that were told as stored at any time.
    let told = Simulated<Set<String>>([])
    /// What was promised to be stored, by key: the SHA-256.
    let promises = Simulated<[String: String]>([:])
    /// The roots of which anything was promised.
    let promised = Simulated<Set<String>>([])
    /// What was stored last under each key.
    let uploads = Simulated<[String: String]>([:])
    /// What the storage took last under each key, whether the answer arrived or not.
    let taken = Simulated<[String: String]>([:])
    /// Keys from which objects were to be set aside.
    let askedAside = Simulated<Set<String>>([])
    /// The SHA-256 of what was stored when all files changed at once, by key; and the keys that were sent since.
    let scrambled = Simulated<[String: String]>([:])
    let sentScrambled = Simulated<Set<String>>([])
    /// The SHA-256 of every original that the agent has sent, or another computer that has the same file.
    let everSent = Simulated<Set<String>>([])
    /// Contents that stay stored although their files are gone, by key; behind a key, those whose names other files got.
    let legacy = Simulated<[String: [UInt8]]>([:])
    /// Contents of files that are stored under other names, which their files had before, by key.
    let carried = Simulated<[String: Carried]>([:])
    /// Orders to delete the objects of deleted files that are being carried out.
    let prunes = Simulated(0)
    /// Keys whose files an agent knows to be deleted, with when that was seen; of the life that runs.
    let missed = Simulated<[String: Duration]>([:])
    /// The SHA-256 of files that the user has had left out, by key.
    let cancelled = Simulated<[String: String]>([:])
    /// How often a file of the user has changed.
    let touches = Simulated(0)
    /// Whether the user has ever had the objects of deleted files deleted.
    let isPruned = Simulated(false)
    /// Keys whose objects another program has deleted since they were stored, and whether it has deleted any.
    let vandalized = Simulated<Set<String>>([])
    let isVandalized = Simulated(false)
    /// Contents of which a decoder said that there is no picture: the SHA-256.
    let undecodable = Simulated<Set<String>>([])
    /// The page of a listing that was asked for last, and how often in a row.
    let page = Simulated((words: "", count: 0))
    /// Keys that an upload has put other bytes under than those it names.
    let misnamed = Simulated<Set<String>>([])
    let requests = Simulated(0)
    /// Requests up to the time from which on nothing goes wrong.
    let calmRequests = Simulated(0)
    /// Whether a file of the queue was ever damaged by something else than the agent.
    let isDecayed = Simulated(false)
    /// Whether such damage is still to be seen by an agent.
    let isNewlyDecayed = Simulated(false)
    /// Whether an agent could not tell that its queue was damaged: what it has forgotten is not made again.
    let isForgetful = Simulated(false)
    /// What waits for its moment.
    let aim = Simulated<Aim?>(nil)
    /// The virtual time until which the state's disk is full.
    let fullUntil = Simulated(Duration.zero)
    /// The virtual time until which a disk is away, the storage is down, or a request is on its way that takes long.
    let temporaryUntil = Simulated(Duration.zero)
    let neighbour: Neighbour
    /// The providers of videos; `nil` where the history has none.
    let providers: ProviderModel?

    /// Begins with `empty`, unless the agent of that history makes its tables itself.
    init(_ history: History, in folder: FilePath, from empty: EmptyState) throws {
        self.history = history
        self.folder = folder
        try Directory.create(at: folder)
        galleries = try GalleryModel.roots.prefix(history.roots).map { try GalleryModel($0, below: folder) }
        let empty = history.isFresh ? nil : empty
        storage = try StorageModel(
            folder: folder.appending("storage"), from: empty, tokenLifetime: history.tokenLifetime)
        providers = history.hasProviders ? ProviderModel(lifetime: history.linkLifetime) : nil
        neighbour = Neighbour(folder: folder.appending("neighbour"), storage: storage)
        let meets = Simulated<(@Sendable (Seam) -> Int32)?>(nil)
        life = Simulated(try Life(number: 0, below: folder) { meets.value?($0) ?? 0 })
        try empty?.copyLibrary(to: life.value.locations().state)
        meets.value = { [unowned self] in meet($0) }
        Simulation.watch(folder.display)
        Simulation.current?.slowness = history.slowness
        if history.isJournalSlow { Simulation.current?.stalled = "journal" }
        Simulation.current?.beforeFileCall = { [unowned self] in meet($0) }
    }

    /// The root of rescued files; its disk is never away, and outlives the agents.
    var produced: FilePath { folder.appending(Self.produced) }
    static let produced = "Produced"

    /// Where everything is restored to.
    var restored: FilePath { folder.appending("restored") }

    /// The root of the file with that number.
    func gallery(of number: Int) -> GalleryModel { galleries[number / GalleryModel.numbers % galleries.count] }

    /// All files of all roots, whether their disks are there or not.
    var files: [UserFile] {
        galleries.flatMap { root in root.all.map { UserFile(root: root, name: $0.name, bytes: $0.bytes) } }
    }

    /// How probable a fault is now.
    func probability(_ kind: FaultKind) -> Double { isCalm.value ? 0 : history.probability(of: kind) }

    func note(_ text: @autoclosure () -> String) { Simulation.current?.note(text()) }

    /// Adds a problem, once, and puts it into the trace.
    func blame(_ sentence: String) {
        guard !problems.value.contains(sentence) else { return }
        note("PROBLEM \(sentence)")
        problems.value.append(sentence)
    }

    /// Lives through the history; afterwards `problems` has what came of it.
    func run() async {
        if history.tokenLifetime != nil { await storage.makeBucket() }
        let living = Task { await self.live() }
        let watching = Task { await self.expectSteadyOften() }
        var now = 0
        for act in history.acts {
            try? await Task.sleep(for: .seconds(act.at - now))
            now = max(now, act.at)
            await perform(act)
            for root in galleries { await expectSteady(root) }
        }
        for root in galleries { await expectSteady(root) }
        await calmDown()
        watching.cancel()
        await watching.value
        await expectAllStored()
        expectCharges()
        await expectNeighbourUnharmed()
        if history.endsWithRestore { examineState() }
        isOver.value = true
        life.value.task.value?.cancel()
        life.value.end.give(.byItself)
        await living.value
        await examineEnd()
        await storage.stop()
        Simulation.current?.beforeFileCall = nil
    }
}

/// The content of a file that is stored under another name.
struct Carried: Sendable {
    let bytes: [UInt8]
    /// Since when an agent knows that it has this name now.
    var noticedAt: Duration?
}

/// A file as the user left it.
struct UserFile: Sendable {
    let root: GalleryModel
    let name: String
    let bytes: [UInt8]

    /// The key of its object.
    var key: String { root.key(name) }
}
