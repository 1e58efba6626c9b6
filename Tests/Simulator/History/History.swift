import Simulation

/// Everything that happens to one agent from outside; drawn from a seed, and made smaller by dropping parts.
struct History: Sendable {
    let seed: UInt64
    /// With the seed, decides in which order tasks run and how long calls take.
    var order: UInt64 = 0
    /// The subject of the history; `nil` if it has no single one.
    let theme: Theme?
    /// A second subject, whose deeds and faults come in between.
    let other: Theme?
    /// Whether the agent watches; otherwise it makes pass after pass.
    var isWatching: Bool
    /// Whether an agent that watches is told of changes by the kernel, too, and not only by its scans.
    var hasEvents: Bool
    /// Whether other programs have used up the kernel's limit of watches until everything is calm.
    var lacksWatches: Bool
    /// Whether agent and storage create their tables; otherwise they find existing ones, as at most starts.
    var isFresh: Bool
    /// Virtual seconds between two scans.
    var interval: Int
    /// The longest time in virtual seconds that a temporary condition lasts.
    var longest: Int
    /// Files above this size are sent in pieces.
    var smallFileBytes: Int
    /// Directory trees that are kept safe, each on a disk of its own: 1 or 2.
    var roots: Int
    /// Whether videos are ordered from providers.
    var hasProviders: Bool
    /// Virtual seconds for which a finished video can be fetched; `nil` for ever.
    var linkLifetime: Int?
    /// Virtual seconds for which an access token is valid; `nil` if the agent has a permanent key instead of a sign-in.
    var tokenLifetime: Int?
    /// Items that the queue holds before blocked ones go to the library.
    var queueWindow: Int
    /// How many of 1000 calls for files take seconds, until nothing goes wrong any more.
    var slowness: UInt64
    /// Whether only the queue's journal is slow, until all is calm; the library does not sync every write.
    var isJournalSlow: Bool
    /// The longest time in milliseconds that a media worker needs, until nothing goes wrong any more.
    var decoding: Int
    /// Long sides of the pictures that are made of each file.
    var sizes: [Int]
    /// Virtual seconds at the end in which nothing happens: an hour at most, and in most histories 0.
    var quiet: Int
    /// Whether it ends with a restore, and with a search of the state's files for secrets.
    var endsWithRestore: Bool
    /// Whether a file appears at the end, which must be stored soon.
    var endsWithFile: Bool
    /// Whether every object that is proven by size only is read back; otherwise none is.
    var readsBack: Bool
    /// Bytes that storage may hold, until nothing goes wrong any more; `nil` for no limit.
    var budget: Int?
    /// Whether a file's former content stays stored beside its present one.
    var keepsBoth: Bool
    /// How probable each fault is, for each request, call or file.
    var faults: [Fault]
    /// The acts in the order of their times.
    var acts: [Act]

    struct Fault: Hashable, Sendable {
        let kind: FaultKind
        let probability: Double
    }

    static let usualDecoding = 3_000
    static let usualSizes = [512]

    func probability(of kind: FaultKind) -> Double { faults.first { $0.kind == kind }?.probability ?? 0 }

    /// Whether so many files change at once that the agent must hold them back.
    var isScrambling: Bool { theme == .scrambling }

    /// Whether a table of the project's database has a row for each stored file.
    var hasTable: Bool { seed % 4 == 1 }

    /// Whether a backup of the state is brought back in it.
    var hasBackup: Bool { acts.contains { $0.deed == .crash(.backup) } }

    /// Whether an agent begins with a library that lacks what the one before has written down.
    var forgets: Bool {
        hasBackup
            || acts.contains { if case .crash(let crash) = $0.deed { crash.takesLibrary } else { false } }
    }

    /// Whether the destination is ever another one.
    var changesDestination: Bool { acts.contains { [.configure(.elsewhere), .configure(.slip)].contains($0.deed) } }

    /// Whether former contents ever stay stored beside present ones.
    var mayKeepBoth: Bool { keepsBoth || acts.contains { $0.deed == .configure(.otherChange) } }

    /// Whether they always do.
    var alwaysKeepsBoth: Bool { keepsBoth && !acts.contains { $0.deed == .configure(.otherChange) } }

    /// Whether no agent dies in it.
    var isWithoutCrash: Bool { acts.allSatisfy { if case .crash = $0.deed { false } else { true } } }

    /// Whether no agent that watches is told to end in it.
    var isOfOneProcess: Bool {
        isWatching
            && acts.allSatisfy {
                switch $0.deed {
                case .crash, .restart, .configure, .moveRoot, .takeDisks, .command: false
                default: true
                }
            }
    }

    /// Whether a request may arrive after its sender gave it up.
    var mayBeLate: Bool { probability(of: .late) > 0 || probability(of: .slow) > 0 }

    /// Whether a root ever gets another place.
    var movesRoots: Bool { acts.contains { if case .moveRoot = $0.deed { true } else { false } } }

    /// Whether files or folders lose all rights for a while.
    var forbids: Bool { acts.contains { if case .forbid = $0.deed { true } else { false } } }

    /// Whether the user ever gives one of those orders.
    func has(_ orders: Set<Deed.Order>) -> Bool {
        acts.contains { $0.deed.order.map(orders.contains) == true }
    }
}

/// Faults that happen by themselves.
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
    /// The storage keeps other bytes than those it was sent.
    case damagedRequest
    /// The answer takes minutes.
    case slow
    /// The request arrives only after the client gave it up.
    case late
    /// A call for the state's disk fails.
    case diskCall
    /// A call for the gallery fails, as on a dying disk, or on a network disk that is unreachable.
    case galleryCall
    /// The kernel's queue of events about watched directories was full.
    case lostEvents
    /// A proxy says that the request is too large, though it is not.
    case tooLarge
    /// The answer states wrong sizes of objects.
    case lyingSize
    /// The storage says that it has stored an object, and has not.
    case forgetting
    /// The sign-in has ended.
    case expired
    /// A listing says that it continues, and continues with the same page.
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

    /// The n-th next moment of one kind.
    struct Moment: Hashable, Sendable {
        let seam: Seam
        /// How many moments of that kind pass first.
        var passing: Int
    }
}

/// A kind of moment at which a program interacts with its surroundings.
enum Seam: String, CaseIterable, Sendable {
    /// Any of the following ones, and each job that may block.
    case any
    /// Before a directory is listed, a file looked at, opened or read.
    case galleryList, galleryLook, galleryOpen, galleryRead
    /// Before a media worker looks at a file that it was given some time ago.
    case decoding
    /// Before bytes or names in the queue's directory change, and before they are durable.
    case queueWrite, queueSynchronize, queueRename, queueDirectory
    /// The same for the library and the thumbnails.
    case stateWrite, stateSynchronize, stateRename
    /// Before a request leaves, and before the answer arrives to one that took effect.
    case request, answer
    /// While a request that will arrive late is on its way.
    case underWay
    /// Before the storage's own files change.
    case storageWrite, storageSynchronize, storageRename
}

/// An act of the user, of another program, of the power or of the server.
///
/// Files are named by numbers; those from `GalleryModel.numbers` on are in the second root, if there is one.
enum Deed: Hashable, Sendable {
    case create(Int, content: UInt64, size: Int)
    /// Writes the first part, waits, and writes the rest.
    case grow(Int, content: UInt64, size: Int, pause: Int)
    /// Writes new content into the file.
    case overwrite(Int, content: UInt64, size: Int)
    /// Replaces the file by a new one.
    case replace(Int, content: UInt64, size: Int)
    /// Gives the file the content and the time that it had before its last or its last but one change.
    case revert(Int, steps: Int)
    /// Changes only the file's time.
    case touch(Int)
    /// Writes other content into every file, as a program that encrypts them does.
    case scramble(content: UInt64)
    case rename(Int, to: Int)
    /// Renames the folder of that file, or deletes it with all that is in it.
    case renameFolder(Int)
    case removeFolder(Int)
    /// Gives the directory of that file's root another name, in the configuration, too, and starts the agent again.
    case moveRoot(Int)
    /// Exchanges the names of two files in one moment.
    case swap(Int, Int)
    /// Gives the file another name, and its former one again at that moment.
    case hide(Int, until: Act.Moment)
    /// Copies a file, with its time.
    case copy(Int, to: Int)
    case delete(Int)
    /// Restores the file that was deleted last in that root, unchanged.
    case undelete(Int)
    /// Takes all rights from the file for some seconds, or from the folder that it is in.
    case forbid(Int, isFolder: Bool, seconds: Int)
    /// Takes that file's disk away for some seconds, and leaves something in its place.
    case unmount(Int, seconds: Int, Leaving)
    case crash(Crash)
    /// The agent is told to stop, and starts again.
    case restart
    /// The user stops the agent, says that the directories of all roots are right as they are, and starts it again.
    case takeDisks
    /// The user changes the configuration, and starts the agent again.
    case configure(Configuration)
    /// The network of the agent's computer leaves for a while: either each request fails, or, if that is `silent`, what
    /// is sent waits.
    case disconnect(seconds: Int, isSilent: Bool)
    case serverRestart(seconds: Int)
    /// The storage's process or computer dies, and comes back.
    case serverCrash(Crash, seconds: Int)
    /// The user deletes the thumbnails that are kept on this computer.
    case clearCache
    /// The clock of the agent's computer is set.
    case clock(seconds: Int)
    /// The disk of the state is full for a while.
    case fullDisk(seconds: Int)
    /// A second computer does something with its own files in the same bucket.
    case neighbour(Errand)
    /// Another program, or another computer that has the same file, stores an object under that file's key.
    case foreign(Int, content: UInt64)
    /// Another program deletes the object of that file, or its picture.
    case vandalism(Int, isPicture: Bool)
    /// The user deletes everything of this gallery from the bucket, or makes the bucket anew.
    case emptyBucket
    /// The user deletes the bucket itself, and makes it anew after a while.
    case dropBucket(seconds: Int)
    case order(Order)
    /// The same as a command, in a process of its own before the next agent starts.
    case command(Order)
    /// The user orders a video from one of the providers.
    case generate(Int)

    /// What differs from the usual settings: some folders are left out, nothing is sent by itself, pictures are made
    /// at another size, in another format or not at all, only the first root takes part, former contents are treated the
    /// other way, a file whose key another program has taken fails, or takes it back, or the destination is another one,
    /// which the user has chosen, or has named by mistake.
    enum Configuration: String, Hashable, Sendable, CaseIterable {
        case usual, ignoring, indexing, otherSize, otherFormat, noPictures, oneRoot, otherChange, failing, replacing,
            elsewhere, slip
    }
    enum Errand: Hashable, Sendable {
        case create(Int, content: UInt64)
        case delete(Int)
        case sync, verify, repair
    }
    /// `bare` keeps the directory but shows none of its content, like a network share without its volume.
    enum Leaving: String, Hashable, Sendable, CaseIterable { case nothing, empty, otherDisk, bare }
    /// How a process dies: `decay` also damages one file of the queue, `backup` replaces the whole state by a backup that
    /// was made when the dead process began, and losses delete all of it, the library, or the queue.
    ///
    /// After `newComputer` the files are gone, too, but for those on disks that are away; they are restored before the
    /// next agent starts.
    enum Crash: String, Hashable, Sendable, CaseIterable {
        case kill, powerCut, decay, backup, loss, libraryLoss, queueLoss, newComputer

        /// Losses of what was written down.
        static let losses: [Self] = [.loss, .libraryLoss, .queueLoss, .newComputer]
        /// Whether everything is gone that was written down.
        var takesState: Bool { self == .loss || self == .newComputer }
        /// Whether the library is.
        var takesLibrary: Bool { takesState || self == .libraryLoss }
    }
    /// What the user wants done; `nil` if the deed is none of that kind.
    var order: Order? {
        switch self {
        case .order(let order), .command(let order): order
        default: nil
        }
    }

    /// What the user tells the running agent.
    enum Order: String, Hashable, Sendable, CaseIterable {
        case sync, pause, resume, verify, repair
        /// Keeps only one file's folder safe.
        case syncFolder
        /// Deletes the objects of files that are gone.
        case prune
        /// Deletes all objects of the last root, if it is out of the configuration.
        case pruneRoot
        /// Deletes the objects of one deleted file.
        case pruneFile
        /// Tries again what failed, what is missing in storage, or all files, the last also with their bytes.
        case reupload, reuploadMissing, reuploadAll, reuploadForced, reuploadFile
        /// Reads every object, and stores those again that are not as they should be.
        case repairDeep
        /// Removes everything that waits from the queue.
        case cancel
        /// Restores everything into a folder of its own, over the files of an earlier restore.
        case restore
        /// Restores everything into a new folder, and copies what is missing from there to the gallery.
        case bringBack

        /// Orders that delete objects.
        static let pruning: Set<Self> = [.prune, .pruneRoot, .pruneFile]

        /// Orders whose effects at another destination nothing here knows of.
        static let ofDestination: Set<Self> = [
            .prune, .pruneRoot, .pruneFile, .restore, .bringBack, .reuploadForced, .reuploadFile,
        ]

        /// Orders that a process of its own carries out without a stage: it only looks, deletes, or changes the state.
        static let steering: Set<Self> = [
            .pause, .resume, .verify, .prune, .pruneRoot, .pruneFile, .cancel, .restore, .bringBack,
        ]

        /// Orders that may be about roots that the configuration does not name.
        static let naming: Set<Self> = [.syncFolder, .reuploadFile]

        /// Orders that name places of files.
        static let placing: Set<Self> = [.syncFolder, .reuploadFile, .cancel]

        /// Orders after which stored files may be sent again.
        static let sending: Set<Self> = [
            .repair, .repairDeep, .reupload, .reuploadMissing, .reuploadAll, .reuploadForced, .reuploadFile,
        ]
    }
}
