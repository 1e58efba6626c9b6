package import Queue
import TestSupport

/// A record of what a store has acknowledged, entry by entry, to be compared with the disk after a failure.
///
/// An entry's states are compared as lines, because the disk keeps each of them as a line.
package final class PromiseLog<Entry: Storable>: Sendable {
    private struct State: Sendable {
        /// The states of every entry in their order; `nil` after it was withdrawn.
        var history: [Entry.ID: [String?]] = [:]
        /// How many of the states were acknowledged.
        var promised: [Entry.ID: Int] = [:]
    }

    private let state = Shared(State())

    package static func line(_ entry: Entry) -> String { String(decoding: entry.line(), as: UTF8.self) }

    /// The identifier without a blank.
    private static func name(_ id: Entry.ID) -> String {
        String(decoding: RecordChange<Entry>.withdrawn(id).encoded(), as: UTF8.self)
    }

    /// Notes that `entry` may be on the disk from now on, or that it may be gone if it is `nil`.
    package func attempt(_ id: Entry.ID, _ entry: Entry?) {
        state.change { $0.history[id, default: []].append(entry.map(Self.line)) }
    }

    /// Notes that every attempt about `id` was acknowledged; returns the text of that promise.
    @discardableResult
    package func promise(_ id: Entry.ID) -> String {
        state.change { state in
            let count = state.history[id, default: []].count
            state.promised[id] = count
            return "\(Self.name(id)) \(count)"
        }
    }

    /// The number of promises for each entry, by the texts that `promise` returned.
    package static func counts(_ promises: [String]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for words in promises.map({ $0.split(separator: " ") }) where words.count == 2 {
            counts[String(words[0])] = Int(words[1]) ?? 0
        }
        return counts
    }

    /// Promises that `entries` do not keep, and entries that were never written; empty if all is well.
    package func complaints(about entries: [Entry], promised: [String: Int]? = nil) -> [String] {
        let found = Dictionary(entries.map { ($0.id, Self.line($0)) }) { _, last in last }
        var complaints = entries.filter { state.value.history[$0.id] == nil }.map { "unknown: \(Self.line($0))" }
        for (id, history) in state.value.history {
            let count = promised.map { $0[Self.name(id)] ?? 0 } ?? state.value.promised[id] ?? 0
            // Without any promise, the entry may also be absent.
            let allowed = count == 0 ? history + [nil] : Array(history[(count - 1)...])
            if !allowed.contains(found[id]) {
                complaints.append("\(found[id] ?? "nothing") where \(count) of \(history) were promised")
            }
        }
        return complaints
    }
}
