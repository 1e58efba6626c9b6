import Platform
import Simulation

extension History {
    /// A smaller history with the same problem: drops acts, faults and settings as long as the problem stays.
    ///
    /// Two problems are the same if their sentences agree apart from names and numbers.
    func shrunk(
        in folder: FilePath, from empty: EmptyState, keeping problem: String, tries: Int = 200, pulse: Pulse
    ) throws -> History {
        var smallest = self
        var left = tries
        var hasChanged = true
        while hasChanged, left > 0 {
            hasChanged = false
            for candidate in smallest.smaller where left > 0 {
                left -= 1
                let play = try Play(candidate, in: folder, from: empty, pulse: pulse)
                guard play.problems.contains(where: { Self.kind($0) == Self.kind(problem) }) else { continue }
                smallest = candidate
                hasChanged = true
                break
            }
        }
        return smallest
    }

    /// The sentence without the names in it.
    static func kind(_ problem: String) -> String {
        problem.split(separator: " ").filter { !$0.contains("IMG_") && !$0.contains("/") && Int($0) == nil }
            .joined(separator: " ")
    }

    private var smaller: [History] {
        var all: [History] = []
        for half in [acts.indices.prefix(acts.count / 2), acts.indices.suffix(acts.count / 2)] where acts.count > 3 {
            all.append(without(Set(half)))
        }
        for index in faults.indices { all.append(with { $0.faults.remove(at: index) }) }
        for index in acts.indices { all.append(without([index])) }
        if budget != nil { all.append(with { $0.budget = nil }) }
        if keepsBoth { all.append(with { $0.keepsBoth = false }) }
        if readsBack { all.append(with { $0.readsBack = false }) }
        if hasEvents { all.append(with { $0.hasEvents = false }) }
        if isJournalSlow { all.append(with { $0.isJournalSlow = false }) }
        return all
    }

    private func with(_ change: (inout History) -> Void) -> History {
        var copy = self
        change(&copy)
        return copy
    }

    private func without(_ dropped: Set<Int>) -> History {
        with { $0.acts = acts.indices.filter { !dropped.contains($0) }.map { acts[$0] } }
    }
}
