import Platform
import Simulation

extension History {
    /// A smaller history with the same problem: drops acts and faults as long as the problem stays.
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
        for index in faults.indices {
            var copy = self
            copy.faults.remove(at: index)
            all.append(copy)
        }
        for index in acts.indices { all.append(without([index])) }
        return all
    }

    private func without(_ dropped: Set<Int>) -> History {
        var copy = self
        copy.acts = acts.indices.filter { !dropped.contains($0) }.map { acts[$0] }
        return copy
    }
}
