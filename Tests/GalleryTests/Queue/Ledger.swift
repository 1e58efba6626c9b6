import Gallery
import TestSupport

/// What a queue has promised, item by item, to be compared with what a disk holds after a failure.
///
/// An item's states are compared as lines, since a line is what the disk keeps of it.
final class Ledger: Sendable {
    private struct State: Sendable {
        /// The states of every item in their order; `nil` for withdrawn.
        var history: [ItemIdentifier: [String?]] = [:]
        /// How many of them were promised.
        var promised: [ItemIdentifier: Int] = [:]
    }

    private let state = Shared(State())

    static func line(_ item: Item) -> String { String(decoding: item.line(), as: UTF8.self) }

    /// Notes that `item` may be on the disk from now on, `nil` that it may be gone.
    func attempt(_ id: ItemIdentifier, _ item: Item?) {
        state.change { $0.history[id, default: []].append(item.map(Self.line)) }
    }

    /// Notes that everything attempted about `id` was promised; the words that say so.
    @discardableResult
    func promise(_ id: ItemIdentifier) -> String {
        state.change { state in
            let count = state.history[id, default: []].count
            state.promised[id] = count
            return "\(id.text) \(count)"
        }
    }

    /// How often each item was promised something, by the words of `promise`.
    static func counts(_ promises: [String]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for words in promises.map({ $0.split(separator: " ") }) where words.count == 2 {
            counts[String(words[0])] = Int(words[1]) ?? 0
        }
        return counts
    }

    /// What `items` lack of what was promised, or hold that never was; empty when all is well.
    func complaints(about items: [Item], promised: [String: Int]? = nil) -> [String] {
        let found = Dictionary(items.map { ($0.id, Self.line($0)) }) { _, last in last }
        var complaints = items.filter { state.value.history[$0.id] == nil }.map { "unknown: \($0.path)" }
        for (id, history) in state.value.history {
            let count = promised.map { $0[id.text] ?? 0 } ?? state.value.promised[id] ?? 0
            // Nothing promised: it may also not have arrived.
            let allowed = count == 0 ? history + [nil] : Array(history[(count - 1)...])
            if !allowed.contains(found[id]) {
                complaints.append("\(found[id] ?? "nothing") where \(count) of \(history) were promised")
            }
        }
        return complaints
    }
}
