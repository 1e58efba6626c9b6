import Gallery
package import Records
package import Uploading

/// What one run did.
package struct RunSummary: Codable, Hashable, Sendable {
    /// How many files came to which end, including files that a watch sent for other reasons meanwhile.
    package let tally: Tally
    /// From the request to its answer.
    package let time: Duration

    /// One sentence for people about a run that ended so.
    ///
    /// Such as `This run: 212 new, 3 changed, 1.2 GB in 41 s; 2 failed.`
    package func sentence(after ending: Ending) -> String {
        // If something stood in the way, "nothing to do" would be wrong.
        if tally.isEmpty, ending != .done { return "This run: nothing was stored." }
        return "This run: \(tally.words(in: time))."
    }
}

extension Agent {
    /// Runs `body`, and returns what the agent did meanwhile.
    func summing<Value: Sendable>(_ body: () async throws -> Value) async throws -> (Value, RunSummary) {
        let (start, before) = (ContinuousClock.now, activity.events.tally)
        let value = try await body()
        return (value, RunSummary(tally: activity.events.tally - before, time: ContinuousClock.now - start))
    }
}
