import Synchronization

/// Whether the agent watches, and what the report should say about it.
package final class Watching: Sendable {

    package init() {
    }
    private struct State {
        var isOn = false
        var isStopping = false
        /// Sentences about watches that do not work as they should, by root.
        var notes: [String: String] = [:]
    }

    private let state = Mutex(State())

    package var isOn: Bool { state.withLock { $0.isOn } }
    package var isStopping: Bool { state.withLock { $0.isStopping } }
    package var notes: [String] { state.withLock { $0.notes.values.sorted() } }

    package func begin() { state.withLock { $0.isOn = true } }
    package func stop() { state.withLock { $0.isStopping = true } }

    /// Whether the sentence is news.
    @discardableResult
    package func note(_ text: String?, about root: String) -> Bool {
        state.withLock { state in
            defer { state.notes[root] = text }
            return state.notes[root] != text
        }
    }
}
