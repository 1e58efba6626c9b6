extension History {
    /// The parts of the history, a line for each.
    var description: [String] {
        let mode = hasEvents ? "watching, with events" : isWatching ? "watching" : "pass after pass"
        return [
            "seed \(seed): \(theme.map { "\($0)\(other.map { " and \($0)" } ?? ""), " } ?? "")\(mode), a scan every \(interval) s, pieces above \(smallFileBytes) bytes, \(queueWindow) items, \(roots) roots"
                + (sizes == Self.usualSizes ? "" : ", pictures at \(sizes)")
                + (isJournalSlow ? ", a slow journal" : "") + (tokenLifetime.map { ", tokens for \($0) s" } ?? "")
                + (hasProviders ? ", videos for \(linkLifetime.map { "\($0) s" } ?? "ever")" : "")
                + (readsBack ? ", everything read back" : "") + (budget.map { ", room for \($0) bytes" } ?? "")
                + (keepsBoth ? ", former contents kept" : "")
        ]
            + faults.map { "fault \($0.kind.rawValue), probability \($0.probability)" }
            + acts.map { act in
                "at \(act.at) s" + (act.moment.map { ", \($0.seam.rawValue) after \($0.passing)" } ?? "")
                    + ": \(act.deed)"
            }
    }
}
