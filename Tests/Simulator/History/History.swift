import Simulation

/// All that befalls one agent from outside; drawn from a seed, made smaller by dropping parts of it.
struct History: Sendable {
    let seed: UInt64
    /// Says in which order tasks run and how long calls take, beside the seed.
    var order: UInt64 = 0
    /// What it is about, where it is about one thing.
    let theme: Theme?
    /// Whether the agent watches; otherwise it makes pass after pass.
    var isWatching: Bool
    /// Whether the agent and the storage make their tables first; else they find them, as most starts do.
    var isFresh: Bool
    /// Virtual seconds between two scans.
    var interval: Int
    /// Virtual seconds that anything temporary lasts at most.
    var longest: Int
    /// Files above this size are sent in pieces.
    var smallFileBytes: Int
    /// Directory trees that are kept safe, each on a disk of its own: 1 or 2.
    var roots: Int
    /// Whether videos are ordered from providers.
    var hasProviders: Bool
    /// Virtual seconds that a finished video can be fetched; `nil` for ever.
    var linkLifetime: Int?
    /// Virtual seconds that an access token is valid, where the user signs in; `nil` where the agent has a key that lasts.
    var tokenLifetime: Int?
    /// Items that the queue holds before blocked ones go to the library.
    var queueWindow: Int
    /// How many of 1000 calls for files take seconds, until all is calm.
    var slowness: UInt64
    /// Whether the queue's journal alone is slow, until all is calm: what the library writes is not made durable each time.
    var isJournalSlow: Bool
    /// Milliseconds that a media worker needs at most, until all is calm.
    var decoding: Int
    /// Long sides of the pictures that are made of each file.
    var sizes: [Int]
    /// Virtual seconds at the end in which nothing happens, an hour at most; in most histories none.
    var quiet: Int
    /// Whether it ends with a restore and a look through the state's files for secrets.
    var endsWithRestore: Bool
    /// Whether a file appears at the end, which has to be stored soon.
    var endsWithFile: Bool
    /// Whether every object that is proven by size only is read back; otherwise none is.
    var readsBack: Bool
    /// Bytes that storage may hold, until all is calm; `nil` for no limit.
    var budget: Int?
    /// Whether what a file held before stays stored beside what it holds.
    var keepsBoth: Bool
    /// How probable each fault is, for each request, call or file.
    var faults: [Fault]
    /// In the order of their times.
    var acts: [Act]

    struct Fault: Hashable, Sendable {
        let kind: FaultKind
        let probability: Double
    }

    static let usualDecoding = 3_000
    static let usualSizes = [512]

    func probability(of kind: FaultKind) -> Double { faults.first { $0.kind == kind }?.probability ?? 0 }

    /// Whether so many files change at once that the agent is to hold them back.
    var isScrambling: Bool { theme == .scrambling }

    /// Whether a backup of the state is brought back in it.
    var hasBackup: Bool { acts.contains { $0.deed == .crash(.backup) } }

    /// Whether no agent dies in it.
    var isWithoutCrash: Bool { acts.allSatisfy { if case .crash = $0.deed { false } else { true } } }

    /// Whether the user gives one of those orders at any time.
    func has(_ orders: Set<Deed.Order>) -> Bool {
        acts.contains { if case .order(let order) = $0.deed { orders.contains(order) } else { false } }
    }
}

/// What goes wrong by itself.
enum FaultKind: String, CaseIterable, Sendable {
    /// No connection.
    case unreachable
    /// The connection breaks while the request is on its way.
    case lostRequest
    /// The request took effect; its answer never arrives.
    case lostAnswer
    /// The request takes effect; a proxy has stopped waiting for its answer, and answers 502 or 504.
    case gaveUp
    /// The request arrives twice.
    case doubled
    /// A proxy answers 429, 500, 502 or 503 by itself.
    case refused
    /// A proxy answers 200 with a page of its own, or the answer is cut.
    case damagedAnswer
    /// The storage keeps other bytes than it was sent.
    case damagedRequest
    /// The answer takes minutes.
    case slow
    /// The request arrives only after the client gave it up.
    case late
    /// A call for the state's disk fails.
    case diskCall
    /// A call for the gallery fails, as on a disk that is dying or a network disk that is not there.
    case galleryCall
    /// A proxy says that the request is too large, though it is not.
    case tooLarge
    /// The answer names sizes that are not those of the objects.
    case lyingSize
    /// The storage says that it has stored an object, and has not.
    case forgetting
    /// The sign-in has ended.
    case expired
    /// A listing says that it goes on, and goes on with the same page.
    case circling
    /// A decoder crashes, hangs or runs out of memory.
    case decoder
}

/// Something that happens once.
struct Act: Sendable {
    /// Virtual seconds after the start.
    let at: Int
    /// The moment after that time in which it happens; `nil` for any.
    let moment: Moment?
    let deed: Deed

    /// The first moment of a kind that follows some others.
    struct Moment: Hashable, Sendable {
        let seam: Seam
        /// How many moments of that kind pass before.
        var passing: Int
    }
}

/// A kind of moment at which a program meets what is outside of it.
enum Seam: String, CaseIterable, Sendable {
    /// Any of those that follow, and each job that may block.
    case any
    /// Before a directory is listed, a file looked at, opened or read.
    case galleryList, galleryLook, galleryOpen, galleryRead
    /// Before a media worker looks at a file that it was given a while ago.
    case decoding
    /// Before bytes or names in the queue's directory change, and before they are durable.
    case queueWrite, queueSynchronize, queueRename, queueDirectory
    /// The same for the library and the thumbnails.
    case stateWrite, stateSynchronize, stateRename
    /// Before a request leaves, and before the answer arrives to what has taken effect.
    case request, answer
    /// While a request is on its way that arrives late.
    case underWay
    /// Before the storage's own files change.
    case storageWrite, storageSynchronize, storageRename
}

/// What the user, other programs, the power or the server do.
///
/// Files have numbers: those from `GalleryModel.numbers` on are in the second root, where there is one.
enum Deed: Hashable, Sendable {
    case create(Int, content: UInt64, size: Int)
    /// Writes the first part, waits, and writes the rest.
    case grow(Int, content: UInt64, size: Int, pause: Int)
    /// Writes new content into the file.
    case overwrite(Int, content: UInt64, size: Int)
    /// Puts a new file in its place.
    case replace(Int, content: UInt64, size: Int)
    /// Writes other content into every file, as a program that encrypts them does.
    case scramble(content: UInt64)
    case rename(Int, to: Int)
    /// Gives two files each other's names, in one moment.
    case swap(Int, Int)
    /// Gives the file another name until that moment, and then its former one again.
    case hide(Int, until: Act.Moment)
    /// Copies a file, with its time.
    case copy(Int, to: Int)
    case delete(Int)
    /// Brings the file that was deleted last in that root back, as it was.
    case undelete(Int)
    /// Takes the disk of that file away for some seconds, and leaves something in its place.
    case unmount(Int, seconds: Int, Leaving)
    case crash(Crash)
    /// The agent is told to stop, and starts again.
    case restart
    case serverRestart(seconds: Int)
    /// The storage's process or computer dies, and comes back.
    case serverCrash(Crash, seconds: Int)
    /// The clock of the agent's computer is set.
    case clock(seconds: Int)
    /// The disk of the state is full for a while.
    case fullDisk(seconds: Int)
    /// A second computer looks after its own files in the same bucket.
    case neighbour(Errand)
    /// Another program, or another computer that has the same file, stores an object where that file would go.
    case foreign(Int, content: UInt64)
    /// Another program deletes the object of that file, or its picture.
    case vandalism(Int, isPicture: Bool)
    case order(Order)
    /// The user orders a video from one of the providers.
    case generate(Int)

    enum Errand: Hashable, Sendable {
        case create(Int, content: UInt64)
        case delete(Int)
        case sync, verify, repair
    }
    /// With `bare` the directory stays as it is and shows nothing of what is in it, as a share that lost its volume.
    enum Leaving: String, Hashable, Sendable, CaseIterable { case nothing, empty, otherDisk, bare }
    /// With `decay`, one file of the queue is not what it was when the next life begins; with `backup`, all of the state is
    /// what it was when the dead one began, since a backup of it was brought back.
    enum Crash: String, Hashable, Sendable { case kill, powerCut, decay, backup }
    /// What the user tells the running agent.
    enum Order: String, Hashable, Sendable, CaseIterable {
        case sync, pause, resume, verify, repair
        /// Deletes the objects of files that are gone.
        case prune
        /// Tries again what failed, what storage does not hold any more, all files, or all of them with their bytes.
        case reupload, reuploadMissing, reuploadAll, reuploadForced
        /// Reads every object, and stores again what is not what it should be.
        case repairDeep
        /// Takes everything that waits out of the queue.
        case cancel
        /// Brings everything back into a folder of its own, over what an earlier one has left there.
        case restore

        /// Those after which what is stored may be sent again.
        static let sending: Set<Self> = [
            .repair, .repairDeep, .reupload, .reuploadMissing, .reuploadAll, .reuploadForced,
        ]
    }
}
