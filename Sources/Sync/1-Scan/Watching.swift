package import Roots
import Synchronization
import Uploading

/// Whether the agent watches its roots, and what the report should say about that.
package final class Watching: Sendable {

    /// Not watching yet, and without notes.
    package init() {
    }
    private struct State {
        var isOn = false
        var isStopping = false
        /// Sentences about watches that do not work as they should, by root.
        var notes: [String: String] = [:]
        /// For each root, how many recently written files are left alone until their writers are done.
        var settling: [String: Int] = [:]
        /// Directories to watch once they are there, by path.
        var awaited: [String: RootAbsence] = [:]
        /// The limit in bytes per second that a request asks for; `nil` if none does.
        var askedRate: Int?
    }

    private let state = Mutex(State())

    /// Whether watching has begun; stays so.
    package var isOn: Bool { state.withLock { $0.isOn } }
    /// Whether the loops that watch are to end.
    package var isStopping: Bool { state.withLock { $0.isStopping } }
    /// Sentences about watches that do not work as they should, sorted.
    package var notes: [String] { state.withLock { $0.notes.values.sorted() } }

    /// Recently written files that are left alone until their writers are done; `nil` where nothing is watched.
    package var settling: Int? { state.withLock { $0.isOn ? $0.settling.values.reduce(0, +) : nil } }
    /// Notes how many such files a root has.
    package func noteSettling(_ count: Int, of root: String) { state.withLock { $0.settling[root] = count } }

    /// Why directories that were never seen cannot be watched yet, by path.
    package var awaited: [String: RootAbsence] {
        get { state.withLock { $0.awaited } }
        set { state.withLock { $0.awaited = newValue } }
    }

    /// The limit in bytes per second that a request asks for; `nil` if none does.
    package var askedRate: Int? {
        get { state.withLock { $0.askedRate } }
        set { state.withLock { $0.askedRate = newValue } }
    }

    /// Notes that the agent watches from now on.
    package func begin() { state.withLock { $0.isOn = true } }
    /// Asks the loops that watch to end.
    package func stop() { state.withLock { $0.isStopping = true } }

    /// Replaces the sentence about a root, or removes it with `nil`; returns whether that is a change.
    @discardableResult
    package func note(_ text: String?, about root: String) -> Bool {
        state.withLock { state in
            defer { state.notes[root] = text }
            return state.notes[root] != text
        }
    }
}
