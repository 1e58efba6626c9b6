import Queue
import Simulation

extension History {
    /// How many names there are.
    private static let names = 10

    /// How much happens in a history.
    ///
    /// Most faults need few files and little time, so most histories are short, and more of them are played.
    enum Length: CaseIterable {
        case short, usual, long

        fileprivate init(_ random: inout SplitMix) {
            self = random.happens(0.96) ? .short : random.happens(0.9) ? .usual : .long
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

    /// The history of that seed; of the length that it draws, unless one is named.
    init(seed: UInt64, length: Length? = nil) {
        var random = SplitMix(seed: seed ^ 0x5EED)
        let drawn = Length(&random)
        let length = length ?? drawn
        self.seed = seed
        isWatching = random.happens(0.6)
        longest = max(120, length.span / 12)
        interval = [longest, 600, 1_800].randomElement(using: &random) ?? 600
        smallFileBytes = random.happens(0.5) ? 8_000 : 6 << 20
        roots = random.happens(0.4) ? 2 : 1
        hasProviders = random.happens(0.25)
        linkLifetime = [nil, 3_600, 86_400].randomElement(using: &random) ?? nil
        tokenLifetime = random.happens(0.25) ? [120, 600, 3_600].randomElement(using: &random) : nil
        queueWindow = random.happens(0.3) ? 10 : UploadQueue.window
        // Few kinds at once and each often, since many at once hide one another.
        faults = FaultKind.allCases.compactMap { kind in
            guard random.happens(0.2) else { return nil }
            let usual = [0.02, 0.1, 0.3].randomElement(using: &random) ?? 0.1
            return Fault(kind: kind, probability: kind.isForCalls ? usual / 100 : usual)
        }
        let span = Int.random(in: 60...length.span, using: &random)
        var acts = (0..<Int.random(in: length.files, using: &random)).map { _ in
            Act(at: Int.random(in: 0...span / 8, using: &random), moment: nil, deed: Self.file(length, &random))
        }
        let favourites = (0..<3).map { _ in Int.random(in: 0..<Self.kinds, using: &random) }
        for _ in 0..<Int.random(in: length.acts, using: &random) {
            let kind =
                random.happens(0.5)
                ? favourites[Int.random(in: 0..<3, using: &random)] : Int.random(in: 0..<Self.kinds, using: &random)
            let deed = Self.deed(kind, length, &random)
            acts.append(
                Act(at: Int.random(in: 0...span, using: &random), moment: Self.moment(deed, &random), deed: deed))
        }
        for _ in 0..<(hasProviders ? Int.random(in: 1...3, using: &random) : 0) {
            let deed = Deed.generate(Int.random(in: 0...1, using: &random))
            acts.append(Act(at: Int.random(in: 0...span, using: &random), moment: nil, deed: deed))
        }
        self.acts = acts.sorted { $0.at < $1.at }
    }

    /// How many kinds of deeds there are.
    private static let kinds = 23

    /// The moment that suits the deed: in the midst of what it interferes with.
    private static func moment(_ deed: Deed, _ random: inout SplitMix) -> Act.Moment? {
        guard random.happens(0.75) else { return nil }
        let seams: [Seam] =
            switch deed {
            case .crash, .fullDisk, .clock:
                [
                    .any, .queueWrite, .queueSynchronize, .queueRename, .queueDirectory, .stateWrite,
                    .stateSynchronize, .stateRename, .request, .answer,
                ]
            case .serverCrash: [.storageWrite, .storageSynchronize, .storageRename, .request, .answer]
            case .serverRestart, .foreign, .neighbour: [.any, .request, .answer]
            case .restart, .order: [.any]
            default: [.any, .galleryList, .galleryLook, .galleryOpen, .galleryRead, .request, .answer]
            }
        let seam = seams.randomElement(using: &random) ?? .any
        let most = seam == .any ? 200 : random.happens(0.5) ? 4 : 20
        return Act.Moment(seam: seam, passing: Int.random(in: 0..<most, using: &random))
    }

    /// A file of any root.
    private static func name(_ random: inout SplitMix) -> Int {
        .random(in: 0..<names, using: &random) + (random.happens(0.5) ? GalleryModel.numbers : 0)
    }

    /// Few contents, so that files often have the same.
    private static func content(_ random: inout SplitMix) -> UInt64 { .random(in: 0..<12, using: &random) }

    private static func size(_ length: Length, _ random: inout SplitMix) -> Int {
        random.happens(length.large)
            ? .random(in: 6_000_000...14_000_000, using: &random) : .random(in: 64...20_000, using: &random)
    }

    private static func file(_ length: Length, _ random: inout SplitMix) -> Deed {
        .create(name(&random), content: content(&random), size: size(length, &random))
    }

    private static func deed(_ kind: Int, _ length: Length, _ random: inout SplitMix) -> Deed {
        let (name, content, size) = (name(&random), content(&random), size(length, &random))
        let seconds = Int.random(in: 1...max(120, length.span / 12), using: &random)
        switch kind {
        case 0: return .create(name, content: content, size: size)
        case 1: return .grow(name, content: content, size: size, pause: Int.random(in: 1...30, using: &random))
        case 2: return .overwrite(name, content: content, size: size)
        case 3: return .replace(name, content: content, size: size)
        case 4, 5: return .rename(name, to: Self.name(&random))
        case 6: return .delete(name)
        case 7:
            let left = [Deed.Leaving.nothing, .empty, .otherDisk].randomElement(using: &random) ?? .nothing
            return .unmount(name, seconds: seconds, left)
        case 8, 9: return .crash(random.happens(0.1) ? .decay : random.happens(0.5) ? .kill : .powerCut)
        case 10: return .restart
        case 11: return .serverRestart(seconds: seconds)
        case 12: return .foreign(name, content: content)
        case 13, 14: return .crash(random.happens(0.5) ? .kill : .powerCut)
        case 15: return .serverCrash(random.happens(0.5) ? .kill : .powerCut, seconds: seconds)
        case 16:
            let most = [5, 4_000, 100_000].randomElement(using: &random) ?? 5
            return .clock(seconds: Int.random(in: -most...most, using: &random))
        case 17: return .fullDisk(seconds: seconds)
        case 18: return .copy(name, to: Self.name(&random))
        case 19...21: return .neighbour(errand(name, content, &random))
        default: return .order(Deed.Order.allCases.randomElement(using: &random) ?? .sync)
        }
    }
}

extension History {
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
    /// Whether it is drawn for each call for a file, of which there are many.
    fileprivate var isForCalls: Bool { self == .diskCall || self == .galleryCall }
}

extension History {
    /// What the history consists of, one line each.
    var description: [String] {
        let mode = isWatching ? "watching" : "pass after pass"
        return [
            "seed \(seed): \(mode), a scan every \(interval) s, pieces above \(smallFileBytes) bytes, \(queueWindow) items, \(roots) roots"
                + (tokenLifetime.map { ", tokens for \($0) s" } ?? "")
                + (hasProviders ? ", videos for \(linkLifetime.map { "\($0) s" } ?? "ever")" : "")
        ]
            + faults.map { "fault \($0.kind.rawValue), probability \($0.probability)" }
            + acts.map { act in
                "at \(act.at) s" + (act.moment.map { ", \($0.seam.rawValue) after \($0.passing)" } ?? "")
                    + ": \(act.deed)"
            }
    }
}
