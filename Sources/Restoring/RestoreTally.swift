import FoundationEssentials
import Platform
import Records
import Supabase
import Sync
import Synchronization
import Uploading

/// What a run has seen and done so far: the one place that its many tasks write to.
final class RestoreTally: Sendable {
    private struct Current {
        let key: String
        var file: Progress.Current
        /// Bytes that came with the running request.
        var received: Int64 = 0
        /// Whether its remaining bytes are on the way, so that the disk must have room for them.
        var isFetched = false

        init(_ object: ListedObject, _ step: Progress.Step) {
            key = object.key
            file = Progress.Current(path: object.key, step: step, size: object.size.bounded)
        }

        var done: Int64 { min(file.done, file.size) }
    }

    private struct State {
        var result = RestoreResult()
        var listed = 0
        var isListed = false
        var settled = 0
        var bytesTotal: Int64 = 0
        var bytesSettled: Int64 = 0
        var rate = RateMeter()
        /// Objects in hand, in the order they were taken.
        var current: [Current] = []
        var waiting: [String: Date] = [:]
        /// Why the request that was last to wait does so.
        var hindrance: String?
        /// Files in a row whose failures may pass in another run.
        var misfortunes = 0
        var matched: Set<Int> = []
        /// Places that a task is working on, as a disk that ignores case knows them.
        var claimed: Set<String> = []
        /// Directories in which names were made.
        var touched: Set<FilePath> = []

        /// What is done with the objects.
        var step: Progress.Step { result.isDryRun ? .plan : .download }
    }

    private let state: Mutex<State>

    init(isDryRun: Bool) {
        var state = State()
        state.result.isDryRun = isDryRun
        self.state = Mutex(state)
    }
}

// MARK: - What is told to it

extension RestoreTally {
    /// Counts objects of another page of the listing.
    func found(_ objects: [ListedObject]) {
        state.withLock { state in
            state.listed += objects.count
            for object in objects { state.bytesTotal &+= object.size.bounded }
        }
    }

    /// Notes that the listing is complete.
    func listed() { state.withLock { $0.isListed = true } }

    /// Notes that a task begins with the object.
    func begin(_ object: ListedObject) {
        state.withLock { $0.current.append(Current(object, $0.step)) }
    }

    /// Notes which file the object is; from now on its size counts instead of the listing's.
    func name(_ target: RestoreTarget) {
        state.withLock { state in
            guard let index = state.current.firstIndex(where: { $0.key == target.key }) else { return }
            state.current[index].file.path = target.place.display
            guard let size = target.size else { return }
            state.bytesTotal &+= Int64?(size).bounded - state.current[index].file.size
            state.current[index].file.size = Int64?(size).bounded
        }
    }

    /// The share of `available` bytes that the object may take, beside what other objects in hand need.
    ///
    /// - Parameter done: How many of the object's bytes are on the disk already.
    func room(for key: String, done: Int64, available: Int64) -> Int64 {
        state.withLock { state in
            var room = available
            for other in state.current where other.isFetched && other.key != key {
                room -= min(room, other.file.size - other.done)
            }
            if let index = state.current.firstIndex(where: { $0.key == key }) {
                state.current[index].file.done = done
                state.current[index].isFetched = true
            }
            return room
        }
    }

    /// Notes how many bytes of the file are `done`, and how many came with the running request.
    func progress(_ key: String, done: Int64, received: Int64) {
        change(key) { current in
            current.file.done = done
            current.received = received
        }
    }

    /// Notes that the request for the object's bytes has ended.
    func requestEnded(_ key: String) {
        state.withLock { state in
            guard let index = state.current.firstIndex(where: { $0.key == key }) else { return }
            state.result.received += state.current[index].received
            state.current[index].received = 0
            state.current[index].isFetched = false
        }
    }

    /// Notes that the object, or the listing, is tried again at `date`.
    func wait(_ key: String, until date: Date, because reason: String) {
        state.withLock { state in
            state.waiting[key] = date
            state.hindrance = reason
        }
    }

    /// Notes that the object is tried again now.
    func resume(_ key: String) {
        state.withLock { $0.waiting[key] = nil }
    }

    /// Notes what became of the object; `nil` if it has no part in the run, or not yet.
    func end(_ object: ListedObject, _ file: RestoredFile?, isLater: Bool = false) {
        state.withLock { state in
            guard let index = state.current.firstIndex(where: { $0.key == object.key }) else { return }
            let size = state.current.remove(at: index).file.size
            if isLater {
                state.bytesTotal &+= object.size.bounded - size
                return
            }
            state.misfortunes = file?.isTemporary == true ? state.misfortunes + 1 : 0
            if let file {
                state.settled += 1
                state.bytesSettled &+= size
                state.result.add(file)
            } else {
                state.listed -= 1
                state.bytesTotal &-= size
            }
        }
    }

    /// Notes that the run ends early.
    func stop(_ ending: Ending) { state.withLock { $0.result.stopped = ending } }

    private func change(_ key: String, _ body: (inout Current) -> Void) {
        state.withLock { state in
            guard let index = state.current.firstIndex(where: { $0.key == key }) else { return }
            body(&state.current[index])
        }
    }
}

// MARK: - What tasks agree on

extension RestoreTally {
    /// Notes which selected paths, by index, name a stored object.
    func matched(_ indices: [Int]) {
        state.withLock { $0.matched.formUnion(indices) }
    }

    /// Reserves a place; false while another object's task has it, or one that differs only in case.
    ///
    /// Two such places may be one, and a task would remove the other's part as one that an earlier run left there.
    func claim(_ place: FilePath) -> Bool {
        state.withLock { $0.claimed.insert(place.display.lowercased()).inserted }
    }

    func release(_ place: FilePath) {
        state.withLock { _ = $0.claimed.remove(place.display.lowercased()) }
    }

    /// Notes that names were made in `directory`, and perhaps in those above it.
    func touched(_ directory: FilePath) {
        state.withLock { state in
            var directory = directory
            while state.touched.insert(directory).inserted, !directory.isEmpty { directory = directory.parent }
        }
    }

    /// Every directory with new names, deepest first.
    var touchedDirectories: [FilePath] {
        state.withLock { $0.touched.sorted { $0.components.count > $1.components.count } }
    }
}

// MARK: - What it tells

extension RestoreTally {
    /// Files in a row, up to now, whose failures may pass in another run.
    var misfortunes: Int { state.withLock { $0.misfortunes } }

    /// How far the run is.
    func progress(at now: Date) -> Progress {
        state.withLock { state in
            let running = state.current.reduce(0) { $0 + $1.received }
            state.rate.note(state.result.received + running, at: now)
            return Progress(
                counts: [
                    .init(.scan, done: state.listed, of: state.isListed ? state.listed : nil),
                    .init(
                        state.step, done: state.settled, of: state.isListed ? state.listed : nil,
                        failed: state.result.failed.count + state.result.refused.count),
                ],
                bytesDone: state.bytesSettled + state.current.reduce(0) { $0 + $1.done },
                bytesTotal: state.bytesTotal, rate: state.rate.rate, current: state.current.map(\.file),
                retriesWaiting: state.waiting.count, nextAttempt: state.waiting.values.min(),
                note: state.waiting.isEmpty || state.waiting.count < state.current.count ? nil : state.hindrance)
        }
    }

    /// The result so far; paths without an object are named only if the run was not stopped.
    func result(of selection: RestoreSelection) -> RestoreResult {
        state.withLock { state in
            var result = state.result.sorted
            guard result.stopped == nil else { return result }
            result.unmatched = selection.paths.indices.filter { !state.matched.contains($0) }.map {
                selection.paths[$0]
            }
            return result
        }
    }
}

extension Int64? {
    /// The size limited to 4 TiB, so that sums cannot overflow, because a server may state any number.
    fileprivate var bounded: Int64 { Swift.min(Swift.max(0, self ?? 0), 1 << 42) }
}
