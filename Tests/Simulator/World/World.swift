import Configuration
import Platform
import Queue
import Records
import Simulation

/// Everything around one agent, for one history.
final class World: Sendable {
    let history: History
    /// The folder of everything in this world.
    let folder: FilePath
    /// The roots; one or two.
    let galleries: [GalleryModel]
    let storage: StorageModel
    /// Another destination; `nil` where the history has none.
    let elsewhere: StorageModel?
    /// Whether everything has become calm: nothing goes wrong any more.
    let isCalm = Simulated(false)
    let isOver = Simulated(false)
    let life: Simulated<Life>
    /// How many lives have crashed and not noticed it yet.
    let ghosts = Simulated(0)
    /// Sentences about facts that must not be.
    let problems = Simulated<[String]>([])
    /// Keys of originals that were ever reported as stored.
    let told = Simulated<Set<String>>([])
    /// The SHA-256 of promised contents, by key; a promise is the agent's report that a file is stored.
    let promises = Simulated<[String: String]>([:])
    /// Roots for which anything was promised.
    let promised = Simulated<Set<String>>([])
    /// The SHA-256 and the number of bytes of the last content stored under each key.
    let uploads = Simulated<[String: (sha256: String, size: Int64)]>([:])
    /// The SHA-256 of the last content that the storage accepted under each key, whether or not the answer arrived.
    let taken = Simulated<[String: String]>([:])
    /// Keys whose objects were to be set aside.
    let askedAside = Simulated<Set<String>>([])
    /// The SHA-256 of the stored contents when all files changed at once, by key; and the keys sent since then.
    let scrambled = Simulated<[String: String]>([:])
    let sentScrambled = Simulated<Set<String>>([])
    /// The SHA-256 of every original sent by the agent, or by another computer with the same file.
    let everSent = Simulated<Set<String>>([])
    /// When the storage last took each original from an agent, by its key and its SHA-256.
    let takenAt = Simulated<[String: [String: Duration]]>([:])
    /// Contents that stay stored although their files are gone; with a longer key if another file got the name.
    let legacy = Simulated<[String: [UInt8]]>([:])
    /// Contents that are stored under former names of their files, by the present key.
    let carried = Simulated<[String: Carried]>([:])
    /// How many orders to delete objects of deleted files are being carried out.
    let prunes = Simulated(0)
    /// Keys whose files the running life knows to be deleted, with the time when that was noticed.
    let missed = Simulated<[String: Duration]>([:])
    /// The SHA-256 of files that the user has left out, by key.
    let cancelled = Simulated<[String: String]>([:])
    /// How many times files of the user have changed.
    let touches = Simulated(0)
    /// Whether the user has ever ordered to delete the objects of deleted files.
    let isPruned = Simulated(false)
    /// Keys whose objects another program has deleted since they were stored, and whether it has deleted any.
    let vandalized = Simulated<Set<String>>([])
    let isVandalized = Simulated(false)
    /// The SHA-256 of contents for which a decoder reported that there is no picture, and of no content.
    let undecodable = Simulated<Set<String>>([SHA256.hash([UInt8]()).hexadecimal])
    /// The page of a listing that was requested last, and how many times in a row.
    let page = Simulated((words: "", count: 0, time: Duration.zero))
    /// Keys under which an upload has stored other bytes than its metadata names.
    let misnamed = Simulated<Set<String>>([])
    let requests = Simulated(0)
    /// How many directories of the gallery were read, at least in part.
    let listings = Simulated(0)
    /// The number of requests up to the time when everything became calm.
    let calmRequests = Simulated(0)
    /// Whether a file of the queue was ever damaged from outside.
    let isDecayed = Simulated(false)
    /// Whether files and folders can lose their rights here.
    let mayForbid = Simulated(false)
    /// Whether an agent has yet to see such damage.
    let isNewlyDecayed = Simulated(false)
    /// Whether an agent could not notice that its queue was damaged, so that lost items are not made again.
    let isForgetful = Simulated(false)
    /// What the user has written into the configuration, which an agent reads when it starts.
    let configured = Simulated(Deed.Configuration.usual)
    /// Whether the last agent's state was for the other destination.
    let wasElsewhere = Simulated(false)
    /// Whether the configuration ever left out folders.
    let wasIgnoring = Simulated(false)
    /// Whether what the user does once nothing goes wrong was refused, as while the sign-in has ended.
    let isUntidy = Simulated(false)
    /// Whether the user takes the directories as they are before the next agent starts, and ever did while a disk was away.
    let takesDisks = Simulated(false)
    let tookOthers = Simulated(false)
    /// Commands that the user gives before the next agent starts.
    let commands = Simulated<[Deed.Order]>([])
    /// The deed that waits for its moment.
    let aim = Simulated<Aim?>(nil)
    /// The present or the last time in which the agent's computer has no network.
    let outage = Simulated<Outage?>(nil)
    /// Seconds by which the clock of the agent's computer is ahead.
    let clockError = Simulated(0)
    /// The virtual time until which the state's disk is full.
    let fullUntil = Simulated(Duration.zero)
    /// The virtual time until which a disk is away, the storage is down, or a slow request is on its way.
    let temporaryUntil = Simulated(Duration.zero)
    let neighbour: Neighbour
    /// The providers of videos; `nil` where the history has none.
    let providers: ProviderModel?
    /// What an agent begins with that finds no state.
    let empty: EmptyState

    /// Begins with `empty`, unless the history's agent makes its own tables.
    init(_ history: History, in folder: FilePath, from empty: EmptyState) throws {
        self.history = history
        self.folder = folder
        try Directory.create(at: folder)
        galleries = try GalleryModel.roots.prefix(history.roots).map { try GalleryModel($0, below: folder) }
        self.empty = empty
        let empty = history.isFresh ? nil : empty
        storage = try StorageModel(
            folder: folder.appending("storage"), from: empty, tokenLifetime: history.tokenLifetime)
        elsewhere =
            history.changesDestination
            ? try StorageModel(
                folder: folder.appending(Self.elsewhere), from: empty, tokenLifetime: nil, below: Self.elsewhere.display
            )
            : nil
        providers = history.hasProviders ? ProviderModel(lifetime: history.linkLifetime) : nil
        neighbour = Neighbour(folder: folder.appending("neighbour"), storage: storage)
        let meets = Simulated<(@Sendable (Seam) -> Int32)?>(nil)
        life = Simulated(try Life(number: 0, below: folder) { meets.value?($0) ?? 0 })
        try empty?.copyLibrary(to: life.value.locations().state)
        meets.value = { [unowned self] in meet($0) }
        Simulation.watch(folder.display)
        Simulation.current?.slowness = history.slowness
        Simulation.setInotify(history.hasEvents && !history.lacksWatches)
        // Otherwise nothing is forbidden, because the world could not use such files either.
        if history.forbids { mayForbid.value = Simulation.obeyRights() }
        if history.isJournalSlow { Simulation.current?.stalled = "journal" }
        Simulation.current?.beforeFileCall = { [unowned self] in meet($0) }
    }

    /// The folder of the other destination's storage, and what all keys there begin with.
    static let elsewhere: FilePath = "elsewhere"

    /// The root of rescued files, whose disk is never away and outlives the agents.
    var produced: FilePath { folder.appending(Self.produced) }
    static let produced = "Produced"

    /// Where restores put everything.
    var restored: FilePath { folder.appending("restored") }

    /// The root of the file with that number.
    func gallery(of number: Int) -> GalleryModel { galleries[number / GalleryModel.numbers % galleries.count] }

    /// All files of all roots, whether their disks are there or not.
    var files: [UserFile] {
        galleries.flatMap { root in root.all.map { UserFile(root: root, name: $0.name, bytes: $0.bytes) } }
    }

    /// The file whose object has that key, whether or not it is there.
    func place(ofKey key: String) -> RootedPath? {
        guard let root = galleries.first(where: { key.hasPrefix($0.root + "/") }) else { return nil }
        return root.name(ofKey: key).map { RootedPath(root: root.root, path: $0) }
    }

    /// The key of the file that people are shown under that path; `nil` if several files are shown alike.
    func key(shownAs path: String) -> String? {
        guard let root = galleries.first(where: { path.hasPrefix($0.root + "/") }) else { return path }
        let name = path.dropFirst(root.root.count + 1)
        let names = GalleryModel.names(shownAs: name)
        return names.count > 1 ? nil : root.key(names.first ?? FilePath(String(name)))
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

    /// Lives through the history; afterwards `problems` has the results.
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
        // The last act may be a crash, and the commands come before the next agent.
        for _ in 0..<60 where !commands.value.isEmpty { try? await Task.sleep(for: .seconds(1)) }
        await calmDown()
        // The user of a new computer waits for the restore.
        for _ in 0..<Self.mostRestores * 100 where galleries.contains(where: \.isLost) {
            try? await Task.sleep(for: .seconds(1))
        }
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
        await elsewhere?.stop()
        Simulation.current?.beforeFileCall = nil
    }
}

/// A content that is stored under a former name of its file.
struct Carried: Sendable {
    let bytes: [UInt8]
    /// When an agent first knew that the file has its present name.
    var noticedAt: Duration?
    var sha256: String { SHA256.hash(bytes).hexadecimal }
}

/// A file as the user left it.
struct UserFile: Sendable {
    let root: GalleryModel
    let name: FilePath
    let bytes: [UInt8]

    /// The key of its object.
    var key: String { root.key(name) }
    var sha256: String { SHA256.hash(bytes).hexadecimal }
    /// Where it lies below the folder of all roots, and where a restore puts it.
    var place: FilePath { FilePath(root.root).appending(name) }
    /// Whether it has, or another file has or had, the very name that is made for an object beside the other's, as a
    /// restore gives it: then each may be stored under a key that is the other's.
    var sharesNames: Bool {
        ObjectKey.besideWhich(name) != nil || root.everNamed.contains { ObjectKey.besideWhich($0) == name }
    }
    /// Whether its name is, or was, the name of a folder, or a folder that it is in has, or had, the name of a file.
    var isNested: Bool { GalleryModel.nested.contains { GalleryModel.name($0) == name } }
}
