import Text

extension Report {
    /// The overall state in one sentence; if everything is stored and something else is wrong, it says both.
    package var headline: String {
        if destination == nil { return "No destination yet." }
        guard assets.stored == assets.total else { return progress }
        let all =
            switch assets.total {
            case 0: "Nothing to store yet"
            case 1: "The one file is stored"
            default: "All \(Quantity.text(count: assets.total)) files are stored"
            }
        // Before the first pass, its absence is no reason worth telling.
        let reason = lastRun == nil && lastScan == nil ? storedReasons.first : reasons().first
        return reason.map { "\(all), but \($0.clause)." } ?? written.map { "\(all); \($0)." } ?? all + "."
    }

    /// What else to know at once, and what to do about it; `nil` if there is nothing.
    package var remark: String? {
        let sentences = [
            outdatedAgent.map { headline.contains($0.clause) ? $0.next : $0.sentence }, unreadSettings, runRemark,
        ]
        return sentences.contains { $0 != nil } ? sentences.compactMap(\.self).joined(separator: " ") : nil
    }

    /// Why the next run would fail or how the last one did, unless the headline or a blocked cause says so already; `nil` otherwise.
    private var runRemark: String? {
        guard destination != nil, assets.stored != assets.total, let reason = closedState ?? troubledRun else {
            return nil
        }
        // A clause has lost the full stop of the sentence that it quotes.
        let causes = blocked.map { Sentence.open($0.message) }.filter { !$0.isEmpty }
        guard !causes.contains(where: reason.clause.contains) else { return nil }
        return [reason.message, NextStep.remaining(reason.next, after: reason.clause)].compactMap(\.self)
            .joined(separator: " ")
    }

    /// The headline, and what the agent waits for, as one line.
    package var line: String {
        // If everything is stored, the headline itself says that the queue is paused.
        if queue.paused { return headline.contains("queue is paused") ? headline : "\(headline) Paused." }
        return unsaidReason.map { "\(headline) Waiting: \(Sentence.open($0))." } ?? headline
    }

    /// What the agent waits for, unless the headline says so already, as of a disk that is away; `nil` otherwise.
    var unsaidReason: String? { agent.reason.flatMap { headline.contains(Sentence.open($0)) ? nil : $0 } }

    private var progress: String {
        let problems = assets.failed + assets.unreadable
        var parts = ["\(Quantity.text(count: assets.stored)) of \(Quantity.text(count: assets.total)) files stored"]
        if assets.waiting > 0 { parts.append("\(Quantity.text(count: assets.waiting)) waiting") }
        if problems > 0 { parts.append("\(Quantity.text(count: problems)) with problems") }
        if let written { parts.append(written) }
        return parts.joined(separator: ", ") + "."
    }

    /// Files that the watch has seen change and has not taken yet.
    private var written: String? {
        guard let settling, settling > 0 else { return nil }
        return "\(Quantity.text(settling, "file")) may still be written to"
    }

    /// The stored share in whole percent; 100 only when everything is stored, 0 only when nothing is.
    package var percentStored: Int {
        guard assets.total > 0 else { return 0 }
        if assets.stored == assets.total { return 100 }
        return assets.stored == 0 ? 0 : min(99, max(1, assets.stored * 100 / assets.total))
    }
}
