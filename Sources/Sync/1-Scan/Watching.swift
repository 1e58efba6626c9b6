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
        /// Files of each root that were written to lately, and are left alone until their writers are done.
        var settling: [String: Int] = [:]
        /// Directories to watch once they are there, by path.
        var awaited: [String: RootAbsence] = [:]
        /// Bytes per second that a request wants to be the most that is sent; `nil` where none does.
        var askedRate: Int?
    }

    private let state = Mutex(State())

    /// Whether watching has begun; stays so.
    package var isOn: Bool { state.withLock { $0.isOn } }
    /// Whether the loops that watch are to end.
    package var isStopping: Bool { state.withLock { $0.isStopping } }
    /// Sentences about watches that do not work as they should, sorted.
    package var notes: [String] { state.withLock { $0.notes.values.sorted() } }

    /// Files that were written to lately, and are left alone until their writers are done; `nil` where none watches.
    package var settling: Int? { state.withLock { $0.isOn ? $0.settling.values.reduce(0, +) : nil } }
    /// Notes how many files of a root those are.
    package func noteSettling(_ count: Int, of root: String) { state.withLock { $0.settling[root] = count } }

    /// Why directories that were never seen cannot be watched yet, by path.
    package var awaited: [String: RootAbsence] {
        get { state.withLock { $0.awaited } }
        set { state.withLock { $0.awaited = newValue } }
    }

    /// Bytes per second that a request wants to be the most that is sent; `nil` where none does.
    package var askedRate: Int? {
        get { state.withLock { $0.askedRate } }
        set { state.withLock { $0.askedRate = newValue } }
    }

    /// Notes that the agent watches from now on.
    package func begin() { state.withLock { $0.isOn = true } }
    /// Asks the loops that watch to end.
    package func stop() { state.withLock { $0.isStopping = true } }

    /// Replaces the sentence about a root, with `nil` by none; returns whether that is a change.
    @discardableResult
    package func note(_ text: String?, about root: String) -> Bool {
        state.withLock { state in
            defer { state.notes[root] = text }
            return state.notes[root] != text
        }
    }
}
