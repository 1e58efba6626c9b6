import FoundationEssentials
import Platform
import Supabase
import Synchronization

/// What a run has seen and done so far: the one place that its many tasks write to.
final class RestoreTally: Sendable {
    private struct Current {
        let key: String
        var file: Progress.Current
        /// Bytes that came with the running request.
        var received: Int64 = 0
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
        /// Why the last one of those waits.
        var hindrance: String?
        /// Files in a row that failed for the time being.
        var misfortunes = 0
        var matched: Set<Int> = []
        /// Places that a task is busy with.
        var claimed: Set<FilePath> = []
        /// Directories with new names in them.
        var touched: Set<FilePath> = []
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
    /// These objects are to be looked at too.
    func found(_ objects: [ListedObject]) {
        state.withLock { state in
            state.listed += objects.count
            state.bytesTotal += objects.reduce(0) { $0 + ($1.size ?? 0) }
        }
    }

    /// Nothing more will be found.
    func listed() { state.withLock { $0.isListed = true } }

    /// A task takes the object in hand.
    func begin(_ object: ListedObject) {
        let file = Progress.Current(path: object.key, step: .download, size: object.size ?? 0)
        state.withLock { $0.current.append(Current(key: object.key, file: file)) }
    }

    /// The object in hand turned out to be this file.
    func name(_ target: RestoreTarget) {
        change(target.key) { current in
            current.file.path = target.place.display
            current.file.size = target.size ?? current.file.size
        }
    }

    /// So many bytes of the file are there, of which so many came with the running request.
    func progress(_ key: String, done: Int64, received: Int64) {
        change(key) { current in
            current.file.done = done
            current.received = received
        }
    }

    /// The request for the object's bytes has ended.
    func requestEnded(_ key: String) {
        state.withLock { state in
            guard let index = state.current.firstIndex(where: { $0.key == key }) else { return }
            state.result.received += state.current[index].received
            state.current[index].received = 0
        }
    }

    /// The object, or the listing, is tried again then.
    func wait(_ key: String, until date: Date, because reason: String) {
        state.withLock { state in
            state.waiting[key] = date
            state.hindrance = reason
        }
    }

    /// It is tried again now.
    func resume(_ key: String) {
        state.withLock { $0.waiting[key] = nil }
    }

    /// The task is done with the object; `nil` when the object has no part in the run, or not yet.
    func end(_ object: ListedObject, _ file: RestoredFile?, isLater: Bool = false) {
        state.withLock { state in
            state.current.removeAll { $0.key == object.key }
            if isLater { return }
            state.misfortunes = file?.isTemporary == true ? state.misfortunes + 1 : 0
            if let file {
                state.settled += 1
                state.bytesSettled += object.size ?? 0
                state.result.add(file)
            } else {
                state.listed -= 1
                state.bytesTotal -= object.size ?? 0
            }
        }
    }

    /// The run ends early.
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
    /// These of the selected paths name something that is stored.
    func matched(_ indices: [Int]) {
        state.withLock { $0.matched.formUnion(indices) }
    }

    /// Reserves a place; false while another object is busy with it.
    func claim(_ place: FilePath) -> Bool {
        state.withLock { $0.claimed.insert(place).inserted }
    }

    func release(_ place: FilePath) {
        state.withLock { _ = $0.claimed.remove(place) }
    }

    /// Names were made in `directory`, and perhaps in those above it.
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
    /// Files in a row that failed for the time being, up to now.
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
                        .download, done: state.settled, of: state.isListed ? state.listed : nil,
                        failed: state.result.failed.count + state.result.refused.count),
                ],
                bytesDone: state.bytesSettled + state.current.reduce(0) { $0 + $1.file.done },
                bytesTotal: state.bytesTotal, rate: state.rate.rate, current: state.current.map(\.file),
                retriesWaiting: state.waiting.count, nextAttempt: state.waiting.values.min(),
                note: state.waiting.isEmpty || state.waiting.count < state.current.count ? nil : state.hindrance)
        }
    }

    /// What the run came to.
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
