package import Catalog
package import Sync

/// What one run did.
package struct RunSummary: Codable, Hashable, Sendable {
    /// How many files came to which end; files that others sent meanwhile beside a watch are among them.
    package let tally: Tally
    /// From the request to its answer.
    package let time: Duration

    /// One sentence for people about a run that ended so.
    ///
    /// Such as `This run: 212 new, 3 changed, 1.2 GB in 41 s; 2 failed.`
    package func sentence(_ ending: Ending) -> String {
        let isIdle = tally.isEmpty && ending != .done
        return "This run: \(isIdle ? "nothing was stored" : tally.words(in: time))."
    }
}

extension Agent {
    /// Runs `body`, and returns what the agent did meanwhile.
    func summing<Value: Sendable>(_ body: () async throws -> Value) async throws -> (Value, RunSummary) {
        let (start, before) = (ContinuousClock.now, activity.chronicle.tally)
        let value = try await body()
        return (value, RunSummary(tally: activity.chronicle.tally - before, time: ContinuousClock.now - start))
    }
}
