package import Catalog
package import Configuration
package import FoundationEssentials
import MediaModel
import Platform
package import Queue
import Records
package import Roots
import Synchronization
package import Uploading

/// The way of a file: found by the scan, it is identified, pictured, enqueued, sent, recorded and reported.
///
/// A stage knows the queue and the library, never another stage; this file is where they meet.
package struct Pipeline: Sendable {
    let roots: RootRegistry
    let library: Library
    let queue: UploadQueue
    let identifier: Identifier
    /// `nil` with thumbnails off.
    let thumbnailer: Thumbnailer?
    let enqueuer: Enqueuer
    let activity: Activity
    let settings: Settings
    let clock: @Sendable () -> Date
    private let runs = PictureRuns()

    /// Connects the stages of one run; without a thumbnailer, originals alone are enqueued.
    package init(
        roots: RootRegistry, library: Library, queue: UploadQueue, identifier: Identifier, thumbnailer: Thumbnailer?,
        enqueuer: Enqueuer, activity: Activity, settings: Settings, clock: @escaping @Sendable () -> Date
    ) {
        self.roots = roots
        self.library = library
        self.queue = queue
        self.identifier = identifier
        self.thumbnailer = thumbnailer
        self.enqueuer = enqueuer
        self.activity = activity
        self.settings = settings
        self.clock = clock
    }

    /// How long an original waits for its facts; never for its pictures.
    static let factsPatience = Duration.seconds(10)

    /// Takes one asset from `seen` to the queue, its pictures included.
    ///
    /// Returns why the file could not be read, if that may pass: then the asset is unchanged, and the caller may retry.
    package func process(_ asset: Asset) async throws -> Item.Failure? {
        guard let root = roots[asset.root] else { return nil }
        let identification = try await activity.counting(.identify) {
            try await identifier.identify(asset, in: root)
        }
        switch identification {
        case .media(let identified):
            if try await !leavesOut(identified) { try await admit(identified, in: root) }
        case .ignored(let reason): try await library.settle(asset, as: .ignored(reason: reason))
        case .unreadable(let failure):
            if failure.retryable { return failure }
            try await settle(asset, unreadable: failure)
        case .away(let error): try await leave(asset, in: root, error)
        case .gone: try await lookAgain(at: asset, in: root, after: .zero)
        case .changed: try await lookAgain(at: asset, in: root, after: settings.scan.settle)
        }
        return nil
    }

    /// Whether the asset is a cancelled file under another name, or back after it was gone, and so stays cancelled.
    private func leavesOut(_ identified: IdentifiedAsset) async throws -> Bool {
        guard !identified.asset.rank.isNamed else { return false }
        let likes = try await library.cancelled(like: identified)
        if likes.hasGone { return try await library.exclude(identified, insteadOf: nil) }
        let presence = Presence(roots: roots, library: library)
        for file in likes.files {
            // A file that is still there was not renamed: this one is a copy of it, which was not cancelled.
            guard try await presence.isGone(file.path, root: file.root) else { continue }
            return try await library.exclude(identified, insteadOf: file)
        }
        return false
    }

    /// Counts the asset as one that cannot be read, until it changes or a scan tries it again.
    package func settle(_ asset: Asset, unreadable failure: Item.Failure) async throws {
        activity.events.note(FileEvent(asset, .failed(failure)))
        try await library.settle(asset, as: .unreadable(failure))
    }

    /// Notes that the asset's disk is away: the asset waits, like all others there, until a scan finds the disk again.
    private func leave(_ asset: Asset, in root: Root, _ error: SystemError) async throws {
        try await library.noteAbsence(of: root, error)
        try await library.settle(asset, as: .changed)
    }

    /// Enqueues the original once its facts are known, or after `factsPatience`; the pictures when they are made.
    private func admit(_ identified: IdentifiedAsset, in root: Root) async throws {
        guard let thumbnailer, identified.identity.kind != .sidecar else {
            return try await admitUnpictured(identified, in: root)
        }
        activity.begin(.thumbnail)
        runs.begin(identified.asset.place)
        defer {
            runs.end(identified.asset.place)
            activity.end(.thumbnail)
        }
        try await library.setPictures(of: identified.asset.place, to: .wanted)
        try await withThrowingTaskGroup(of: Thumbnailer.Pictures?.self) { group in
            group.addTask {
                let open = await enqueuer.openFormats(of: identified.asset, sizes: settings.thumbnails.sizes)
                return try await thumbnailer.pictures(of: identified, in: root, open: open)
            }
            group.addTask {
                try await Task.sleep(for: Self.factsPatience)
                return nil
            }
            var isEnqueued = false
            while let event = try await group.next() {
                if !isEnqueued {
                    let note = identified.identity.note ?? event?.note
                    let outcome = try await enqueuer.enqueue(
                        identified, in: root, note: note, arePicturesDue: true)
                    if outcome == .held || outcome == .overtaken {
                        group.cancelAll()
                        return
                    }
                    isEnqueued = true
                }
                guard let pictures = event else { continue }
                group.cancelAll()
                try await keep(pictures, of: identified, in: root)
                return
            }
        }
    }

    /// Enqueues a file of which no pictures are made.
    ///
    /// What a sidecar says is owed like a picture until it is read: a run that ends before that, or has no worker, would
    /// leave the photo without its date for good.
    private func admitUnpictured(_ identified: IdentifiedAsset, in root: Root) async throws {
        let note = identified.identity.note
        guard let thumbnailer, identified.identity.kind == .sidecar else {
            _ = try await enqueuer.enqueue(identified, in: root, note: note)
            return
        }
        let outcome = try await enqueuer.enqueue(identified, in: root, note: note, arePicturesDue: true)
        guard outcome != .held, outcome != .overtaken else { return }
        let sidecar = try await thumbnailer.readSidecar(identified)
        try await library.setPictures(
            of: identified.asset, to: sidecar.state, facts: sidecar.facts, ofContent: identified.sha256)
    }

    private func keep(_ pictures: Thumbnailer.Pictures, of identified: IdentifiedAsset, in root: Root) async throws {
        guard try await enqueuer.enqueue(pictures.thumbnails, of: identified, in: root) else { return }
        try await library.setPictures(
            of: identified.asset, to: pictures.state, note: pictures.note ?? identified.identity.note,
            facts: pictures.facts, ofContent: identified.sha256)
    }

    /// Makes the pictures of an asset whose original is on its way already, unless another run is making them.
    package func picture(_ asset: Asset) async throws {
        guard let root = roots[asset.root], thumbnailer != nil, runs.beginAlone(asset.place) else { return }
        defer { runs.end(asset.place) }
        switch try await identifier.identify(asset, in: root) {
        case .media(let identified): try await admit(identified, in: root)
        // A later run makes them.
        case .away, .unreadable: return
        case .ignored: try await library.setPictures(of: asset.place, to: .unwanted)
        // The file may be back as it was before any scan missed it.
        case .gone: try await lookAgain(at: asset, in: root, after: .zero)
        case .changed: try await lookAgain(at: asset, in: root, after: settings.scan.settle)
        }
    }

    /// Writes down what is found at the place of `asset` now.
    private func lookAgain(at asset: Asset, in root: Root, after settle: Duration) async throws {
        if settle > .zero { try await Task.sleep(for: settle) }
        switch await root.look(at: asset.path) {
        case .failure(let error):
            if error.isDiskAway { return try await leave(asset, in: root, error) }
            try await self.settle(asset, unreadable: Item.Failure(error))
        case .success(let seen):
            if let seen, seen.size == asset.size, seen.modifiedAt == asset.modifiedAt {
                return try await library.settle(asset, as: .changed)
            }
            _ = try await library.merge(
                seen, at: asset.path, root: root.known.id, origin: asset.rank.origin, now: clock())
        }
    }
}

/// The files whose pictures are being made.
///
/// A second run would make them again; and if one picture were lost meanwhile, the run that ends last would still say
/// that all are there.
private final class PictureRuns: Sendable {
    private let counts = Mutex<[Asset.Place: Int]>([:])

    func begin(_ place: Asset.Place) { counts.withLock { $0[place, default: 0] += 1 } }

    /// Begins a run and returns `true`, unless one is under way.
    func beginAlone(_ place: Asset.Place) -> Bool {
        counts.withLock { counts in
            guard counts[place] == nil else { return false }
            counts[place] = 1
            return true
        }
    }

    func end(_ place: Asset.Place) {
        counts.withLock { $0[place] = $0[place].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }
}
