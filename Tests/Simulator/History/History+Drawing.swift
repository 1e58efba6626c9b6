import Queue
import Simulation

extension History {
    /// How much happens in a history.
    ///
    /// Most histories are short, because most faults need few files and little time, and a long history takes as long
    /// as ten short ones.
    enum Length: CaseIterable {
        case short, usual, long

        fileprivate init(_ random: inout SplitMix) {
            self = random.happens(0.99) ? .short : random.happens(0.9) ? .usual : .long
        }

        /// Virtual seconds.
        var span: Int {
            switch self {
            case .short: 600
            case .usual: 3_600
            case .long: 86_400
            }
        }

        var files: ClosedRange<Int> { self == .short ? 1...4 : 2...8 }
        var acts: ClosedRange<Int> { self == .short ? 1...7 : 3...16 }
        /// How probable it is that a file is so large that it is sent in several pieces.
        var large: Double { self == .short ? 0.003 : 0.02 }
    }

    /// The history of that seed, with the length and theme that the seed draws unless they are given.
    init(seed: UInt64, length: Length? = nil, theme named: Theme? = nil) {
        var random = SplitMix(seed: seed ^ 0x5EED)
        let drawn = Length(&random)
        let length = named == nil ? length ?? drawn : .short
        let free = length == .short && random.happens(0.85) ? Theme.usual.randomElement(using: &random) : nil
        let theme = named ?? (free != nil && random.happens(0.005) ? .scrambling : free)
        self.theme = theme
        self.seed = seed
        // Two subjects in one history meet where neither leads by itself.
        let other = theme != nil && random.happens(0.2) ? Theme.usual.randomElement(using: &random) : nil
        self.other = other
        let likely = Likelihoods(of: theme)
        isWatching = random.happens(likely.watching)
        let mayHaveEvents = isWatching && random.happens(likely.events)
        lacksWatches = random.happens(0.1)
        isFresh = random.happens(0.1)
        // Without a theme, most of the work is scans in which nothing happens; histories with one are short. Only
        // `waiting` takes longer, because blocked items must reach the library before their disk is back.
        let isQuick = theme.map { $0 != .waiting } == true
        longest = isQuick ? 60 : max(120, length.span / 12)
        let usual = theme == nil ? [longest, 600, 1_800] : isWatching ? [longest / 2, longest] : [longest]
        // Scans must be frequent to find one file deleted before another gets its name, or to find a file changed while
        // its former content is still being sent.
        let intervals = theme == .reusing || theme == .shuffling ? [10] : theme == .changing ? usual + [10] : usual
        interval = intervals.randomElement(using: &random) ?? 600
        smallFileBytes = random.happens(0.5) ? 8_000 : 6 << 20
        roots = random.happens(likely.twoRoots) ? 2 : 1
        hasProviders = random.happens(likely.providers)
        linkLifetime = [nil, 3_600, 86_400].randomElement(using: &random) ?? nil
        tokenLifetime = random.happens(0.25) ? [120, 600, 3_600].randomElement(using: &random) : nil
        queueWindow = theme == .waiting ? 4 : random.happens(0.3) ? 10 : UploadQueue.window
        slowness = random.happens(likely.slowness) ? 200 : Self.usualSlowness
        isJournalSlow = random.happens(likely.slowJournal)
        let isQuickDecoder = random.happens(likely.quickDecoder)
        decoding = random.happens(likely.slowDecoder) ? 30_000 : isQuickDecoder ? 100 : Self.usualDecoding
        sizes = random.happens(likely.manySizes) ? [512, 256, 128] : Self.usualSizes
        // Checks that seldom find anything are made in some histories only, because they were a third of the work.
        quiet = random.happens(0.75) ? 0 : random.happens(0.1) ? 3_600 : 300
        endsWithRestore = random.happens(0.25)
        endsWithFile = random.happens(0.3)
        // Few kinds of faults, each of them often, because many kinds at once would hide one another.
        faults = theme.map { Self.faults(of: $0, other, &random) } ?? Self.faults(&random)
        let span = Int.random(in: 60...(theme == nil ? length.span : isQuick ? 120 : length.span / 2), using: &random)
        let pool = Pool(theme, &random)
        let files = theme == .waiting ? length.files.upperBound : Int.random(in: length.files, using: &random)
        var acts = (0..<files).map { _ in
            Act(at: Int.random(in: 0...span / 8, using: &random), moment: nil, deed: Self.file(length, pool, &random))
        }
        let kinds = theme.map { $0.kinds + (other?.kinds ?? []) } ?? Deed.Kind.usual
        let favourites = (0..<3).map { _ in kinds.randomElement(using: &random) ?? .restart }
        let count = theme == nil ? length.acts : 3...7
        for _ in 0..<Int.random(in: count, using: &random) {
            let kind = (random.happens(0.5) ? favourites : kinds).randomElement(using: &random) ?? .restart
            let deed = Self.deed(kind, length, longest, pool, &random)
            let moment = random.happens(likely.moments) ? Self.moment(deed, theme, &random) : nil
            // Acts of these themes wait for their moments early, so that each can follow right after the one before.
            let isEarly = theme.map { [.waiting, .ordering].contains($0) || kind == .hide && $0 != .missing } == true
            let last = isEarly ? span / 8 : span
            // The agent dies while the first pictures are made.
            let isNext = theme == .missing && kind == .crash
            // What is to come back must have been stored before.
            let first = theme == .reverting && !isEarly ? span / 2 : 0
            let time = isNext ? span / 8 : Int.random(in: first...last, using: &random)
            let act = Act(at: time, moment: moment, deed: deed)
            switch theme {
            case .renaming where random.happens(0.5): acts += Self.returning(act, &random)
            case .wandering where random.happens(0.7): acts += Self.wandering(act, every: interval, &random)
            case .reusing where random.happens(0.5), .pruning where random.happens(0.5):
                acts += Self.bringingBack(act, pool, &random)
            case .reverting: acts += Self.reverting(act, pool, &random)
            case .reinstalling where random.happens(0.5): acts += Self.losing(act, &random)
            case .recovering where random.happens(0.8): acts += Self.recovering(act, pool, &random)
            case .configuring where random.happens(0.5): acts += Self.configuring(act, pool, &random)
            case .decaying where random.happens(0.5): acts += Self.decaying(act, pool, &random)
            case .taking where random.happens(0.7): acts += Self.taking(act, &random)
            case .flickering: acts += Self.flickering(act, &random)
            case .bursting:
                let others = (0..<Int.random(in: 2...5, using: &random)).map { [longest] _ in
                    Self.deed(kinds.randomElement(using: &random) ?? .create, length, longest, pool, &random)
                }
                acts += Self.bursting(act, others, &random)
            default: acts.append(act)
            }
            if theme == .missing, kind == .crash { acts.append(Self.missing(after: act, pool, &random)) }
        }
        for _ in 0..<(hasProviders ? Int.random(in: 1...3, using: &random) : 0) {
            let deed = Deed.generate(Int.random(in: 0...1, using: &random))
            let last = theme == .ordering ? span / 8 : span
            acts.append(Act(at: Int.random(in: 0...last, using: &random), moment: nil, deed: deed))
        }
        if theme == .scrambling { acts = Self.scrambling(acts, &random) }
        if theme == .shuffling { acts = Self.shuffling(acts, after: span / 8, every: interval, &random) }
        self.acts = acts.sorted { $0.at < $1.at }
        // No event tells that a network share has lost its content, and files that were moved away would look deleted.
        hasEvents = mayHaveEvents && !acts.contains { if case .unmount(_, _, .bare) = $0.deed { true } else { false } }
        readsBack = random.happens(0.15)
        budget = random.happens(likely.budget) ? Int.random(in: 1_000...60_000, using: &random) : nil
        keepsBoth = random.happens(likely.keptContents) && !pool.isCrowded
    }

    static let usualSlowness: UInt64 = 10

    /// Any faults; few kinds, each of them often, because many kinds at once would hide one another.
    private static func faults(_ random: inout SplitMix) -> [Fault] {
        FaultKind.allCases.compactMap { kind in
            guard random.happens(0.2) else { return nil }
            let usual = [0.02, 0.1, 0.3].randomElement(using: &random) ?? 0.1
            return Fault(kind: kind, probability: kind.isForCalls ? usual / 100 : usual)
        }
    }

    /// The themes' faults, sometimes with one more: most faults of the agent need the theme and a bad line.
    private static func faults(of theme: Theme, _ other: Theme?, _ random: inout SplitMix) -> [Fault] {
        let usual = theme.faults + (other?.faults ?? []).filter { !theme.faults.contains($0) }
        let rest = FaultKind.allCases.filter { !usual.contains($0) }
        let more = random.happens(0.4) ? rest.randomElement(using: &random) : nil
        return (usual + [more].compactMap(\.self)).compactMap { kind in
            guard random.happens(0.9) else { return nil }
            let often = [0.1, 0.3].randomElement(using: &random) ?? 0.3
            // A listing that goes in circles must do so each time.
            return Fault(kind: kind, probability: kind == .circling ? 1 : kind.isForCalls ? often / 10 : often)
        }
    }

    /// A moment for the deed in the middle of what it interferes with.
    private static func moment(_ deed: Deed, _ theme: Theme?, _ random: inout SplitMix) -> Act.Moment {
        // A file is opened to be sent right after its item is written down, or opened to be read again.
        if case .hide = deed, random.happens(0.7) {
            let seam = random.happens(theme == .missing ? 0.4 : 0.8) ? Seam.queueSynchronize : .galleryOpen
            return Act.Moment(seam: seam, passing: Int.random(in: 0..<(theme == .missing ? 12 : 4), using: &random))
        }
        let seams: [Seam] =
            switch deed {
            // While some files are sent, the others begin to wait for their disk.
            case .unmount where theme == .waiting: [.request, .answer]
            case .crash where theme == .waiting: [.queueWrite, .queueSynchronize, .stateWrite, .stateSynchronize]
            case .crash where theme == .dying && random.happens(0.5):
                [.galleryList, .galleryLook, .decoding, .request, .request, .answer]
            case .crash where theme == .renaming && random.happens(0.5): [.decoding, .stateSynchronize]
            case .crash where theme == .missing: [.decoding]
            // Bytes have been sent, and nothing that tells so is written down yet.
            case .crash where theme == .decaying: [.request, .answer, .answer, .queueSynchronize, .stateSynchronize]
            case .crash where theme == .ordering: [.request, .answer, .queueWrite, .queueSynchronize]
            case .unmount where theme != nil, .forbid where theme != nil:
                [.galleryList, .galleryLook, .galleryOpen, .any]
            case .overwrite where theme == .late, .replace where theme == .late: [.underWay]
            case .overwrite where theme != nil, .replace where theme != nil:
                [.any, .galleryOpen, .galleryRead, .decoding, .request, .answer]
            case .hide: [.galleryRead, .decoding, .request]
            case .crash, .fullDisk, .clock:
                [
                    .any, .queueWrite, .queueSynchronize, .queueRename, .queueDirectory, .stateWrite,
                    .stateSynchronize, .stateRename, .request, .answer,
                ]
            case .serverCrash: [.storageWrite, .storageSynchronize, .storageRename, .request, .answer]
            case .disconnect, .serverRestart, .foreign, .vandalism, .emptyBucket, .dropBucket, .neighbour:
                [.any, .request, .answer]
            // The deed comes while files are read and their items are made.
            case .order(.cancel) where theme == .cancelling:
                [.galleryOpen, .galleryRead, .queueWrite, .queueSynchronize, .stateWrite]
            // The deed comes while objects that are being listed are also being stored.
            case .order(.verify) where theme == .changing: [.request, .answer]
            // The order starts a second walk of a root in the middle of the first.
            case .order where theme != nil: [.galleryList, .galleryLook, .any]
            case .restart, .takeDisks, .configure, .order, .command: [.any]
            default: [.any, .galleryList, .galleryLook, .galleryOpen, .galleryRead, .decoding, .request, .answer]
            }
        let seam = seams.randomElement(using: &random) ?? .any
        let most = seam == .any ? 200 : [.decoding, .underWay].contains(seam) ? 2 : random.happens(0.5) ? 4 : 20
        return Act.Moment(seam: seam, passing: Int.random(in: 0..<most, using: &random))
    }

    /// The possible names and contents; few of each, so that files often share them.
    struct Pool {
        let names: [Int]
        let contents: UInt64
        /// Whether files have the names that are made for objects beside another, so that nothing else may need those.
        let isCrowded: Bool
        /// What the user may change the configuration to.
        let configurations: [Deed.Configuration]
        /// The probability that a crash damages a file, or brings back an older state.
        let damage: Double
        /// The probability that a file is empty.
        let emptiness: Double

        /// With a theme, all files are of one type, so that they can be equal, and each is in its own directory.
        init(_ theme: Theme?, _ random: inout SplitMix) {
            damage = theme == .decaying || theme == .recovering ? 0.7 : theme == .dying ? 0.4 : 0.1
            emptiness = random.happens(0.15) ? 0.3 : 0
            configurations =
                switch theme {
                case .sharing: [.usual, .failing, .replacing, .replacing]
                case .leavingDestination: [.usual, .elsewhere, .elsewhere, .slip]
                default: Deed.Configuration.allCases
                }
            let group = theme == .naming ? GalleryModel.confusable.randomElement(using: &random) ?? 0..<1 : 0..<1
            isCrowded = group == GalleryModel.confusable.last
            switch theme {
            // One file is enough for most faults of this theme; moves need a second one.
            case .late: (names, contents) = (random.happens(0.5) ? [0] : [0, 4], 2)
            // Few files, and more contents, so that a version hardly ever equals the one before.
            case .reverting, .decaying, .recovering: (names, contents) = (random.happens(0.5) ? [0] : [0, 4], 5)
            case .reusing: (names, contents) = (random.happens(0.5) ? [0] : [0, 4], 3)
            case .wandering: (names, contents) = (random.happens(0.7) ? [0, 4] : [0, 4, 8], 2)
            // With many contents few files are copies of others, because a copy would keep the content stored.
            case .shuffling: (names, contents) = (random.happens(0.7) ? [0, 4] : [0, 4, 8], 9)
            case .folders, .forbidding, .bursting: (names, contents) = ([4, 7, 8, 11], 4)
            case .naming:
                (names, contents) = (group + (random.happens(0.3) ? [0] : []), 3)
            case .dating:
                let album = GalleryModel.related.dropLast(2)
                (names, contents) = (Array(random.happens(0.5) ? album.prefix(4) : album), 4)
            case .nesting: (names, contents) = (Array(GalleryModel.nested), 3)
            case .some: (names, contents) = ([0, 4, 8], 3)
            case nil: (names, contents) = (Array(0..<10), 12)
            }
        }

        /// A file of any root.
        func name(_ random: inout SplitMix) -> Int {
            (names.randomElement(using: &random) ?? 0) + (random.happens(0.5) ? GalleryModel.numbers : 0)
        }

        func content(_ random: inout SplitMix) -> UInt64 { .random(in: 0..<contents, using: &random) }
    }

    private static func size(_ length: Length, _ pool: Pool, _ random: inout SplitMix) -> Int {
        if random.happens(pool.emptiness) { return 0 }
        return random.happens(length.large)
            ? .random(in: 6_000_000...14_000_000, using: &random) : .random(in: 64...20_000, using: &random)
    }

    private static func file(_ length: Length, _ pool: Pool, _ random: inout SplitMix) -> Deed {
        .create(pool.name(&random), content: pool.content(&random), size: size(length, pool, &random))
    }

    private static func deed(
        _ kind: Deed.Kind, _ length: Length, _ longest: Int, _ pool: Pool, _ random: inout SplitMix
    ) -> Deed {
        let (name, content, size) = (pool.name(&random), pool.content(&random), size(length, pool, &random))
        let seconds = Int.random(in: 1...longest, using: &random)
        // After other deeds an object may be stored beside another one's key, under a name that a file has.
        guard !pool.isCrowded || [.create, .overwrite, .replace, .copy, .unmount].contains(kind) else {
            return .copy(name, to: pool.name(&random))
        }
        switch kind {
        case .create: return .create(name, content: content, size: size)
        case .grow: return .grow(name, content: content, size: size, pause: Int.random(in: 1...30, using: &random))
        case .overwrite: return .overwrite(name, content: content, size: size)
        case .replace: return .replace(name, content: content, size: size)
        case .rename: return .rename(name, to: pool.name(&random))
        case .renameFolder: return .renameFolder(name)
        case .removeFolder: return .removeFolder(name)
        case .moveRoot: return .moveRoot(name)
        case .swap: return .swap(name, pool.name(&random))
        case .delete: return .delete(name)
        case .undelete: return .undelete(name)
        case .forbid: return .forbid(name, isFolder: random.happens(0.5), seconds: seconds)
        case .unmount:
            let left = Deed.Leaving.allCases.randomElement(using: &random) ?? .nothing
            // A bare root that fills again within one walk looks like a user who deletes and restores all files.
            return .unmount(name, seconds: left == .bare ? max(60, seconds) : seconds, left)
        case .crash:
            guard random.happens(pool.damage) else { return .crash(random.happens(0.5) ? .kill : .powerCut) }
            return .crash(random.happens(0.5) ? .decay : .backup)
        case .loss: return .crash(Deed.Crash.losses.randomElement(using: &random) ?? .loss)
        case .touch: return .touch(name)
        case .clearCache: return .clearCache
        case .restart: return .restart
        case .takeDisks: return .takeDisks
        case .configure: return .configure(pool.configurations.randomElement(using: &random) ?? .usual)
        case .disconnect: return Self.outage(&random)
        case .serverRestart: return .serverRestart(seconds: seconds)
        case .foreign: return .foreign(name, content: content)
        case .serverCrash: return .serverCrash(random.happens(0.5) ? .kill : .powerCut, seconds: seconds)
        case .clock:
            let most = [5, 4_000, 100_000].randomElement(using: &random) ?? 5
            return .clock(seconds: Int.random(in: -most...most, using: &random))
        case .fullDisk: return .fullDisk(seconds: seconds)
        case .hide: return .hide(name, until: found(&random))
        case .copy: return .copy(name, to: pool.name(&random))
        case .revert: return .revert(name, steps: Int.random(in: 1...2, using: &random))
        case .neighbour: return .neighbour(errand(name, content, &random))
        case .vandalism: return .vandalism(name, isPicture: random.happens(0.3))
        case .emptyBucket: return .emptyBucket
        case .dropBucket: return .dropBucket(seconds: seconds)
        case .bringBack: return .order(.bringBack)
        case .prune: return .order(.prune)
        case .pruneRoot: return .order(.pruneRoot)
        case .pruneFile: return .order(.pruneFile)
        case .cancel: return .order(.cancel)
        case .verify: return .order(.verify)
        case .order: return .order(order(&random))
        case .command: return .command(order(&random))
        }
    }
}

extension History {
    private static func order(_ random: inout SplitMix) -> Deed.Order {
        random.happens(0.3) ? .sync : Deed.Order.allCases.randomElement(using: &random) ?? .sync
    }

    private static func errand(_ name: Int, _ content: UInt64, _ random: inout SplitMix) -> Deed.Errand {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: .create(name, content: content)
        case 4: .delete(name)
        case 5...7: .sync
        case 8: .verify
        default: .repair
        }
    }
}

extension FaultKind {
    /// Whether it is drawn for each call for a file, because there are many such calls.
    fileprivate var isForCalls: Bool { self == .diskCall || self == .galleryCall }
}
