import Synchronization

/// Whether the agent watches, which roots are away, and what the report should say about it.
final class Watching: Sendable {
    private struct State {
        var isOn = false
        var isStopping = false
        /// Roots that cannot be looked at, with the reason.
        var away: [String: String] = [:]
        /// Sentences about watches that do not work as they should, by root.
        var notes: [String: String] = [:]
    }

    private let state = Mutex(State())

    var isOn: Bool { state.withLock { $0.isOn } }
    var isStopping: Bool { state.withLock { $0.isStopping } }
    /// Why roots are not looked at, by the root's name.
    var away: [String: String] { state.withLock { $0.away } }
    var notes: [String] { state.withLock { $0.notes.values.sorted() } }

    func begin() { state.withLock { $0.isOn = true } }
    func stop() { state.withLock { $0.isStopping = true } }
    func away(_ root: String, reason: String) { state.withLock { $0.away[root] = reason } }
    func back(_ root: String) { state.withLock { $0.away[root] = nil } }

    /// Whether the sentence is news.
    @discardableResult
    func note(_ text: String?, about root: String) -> Bool {
        state.withLock { state in
            defer { state.notes[root] = text }
            return state.notes[root] != text
        }
    }
}
