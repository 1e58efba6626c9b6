import Synchronization

/// Whether the agent watches, and what the report should say about it.
final class Watching: Sendable {
    private struct State {
        var isOn = false
        var isStopping = false
        /// Sentences about watches that do not work as they should, by root.
        var notes: [String: String] = [:]
    }

    private let state = Mutex(State())

    var isOn: Bool { state.withLock { $0.isOn } }
    var isStopping: Bool { state.withLock { $0.isStopping } }
    var notes: [String] { state.withLock { $0.notes.values.sorted() } }

    func begin() { state.withLock { $0.isOn = true } }
    func stop() { state.withLock { $0.isStopping = true } }

    /// Whether the sentence is news.
    @discardableResult
    func note(_ text: String?, about root: String) -> Bool {
        state.withLock { state in
            defer { state.notes[root] = text }
            return state.notes[root] != text
        }
    }
}
