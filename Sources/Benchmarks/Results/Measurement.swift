/// One line of the table: what was measured, compared with which peer, and whether the goal was reached.
struct Measurement: Hashable, Sendable {
    /// The benchmark that the line belongs to, as the command line names it.
    private(set) var row = ""
    let what: String
    let outcome: Outcome

    enum Outcome: Hashable, Sendable {
        /// `peer` is `nil` if the goal is about our own number.
        case measured(ours: Figure, peer: Counterpart?, goal: Goal)
        /// The peer is not installed: our number is shown without a comparison.
        case alone(ours: Figure, missing: String)
        /// A program of ours is missing.
        case unmeasured(String)
        case failed(String)
    }

    /// The other side of a comparison.
    struct Counterpart: Hashable, Sendable {
        let name: String
        let reading: Figure
    }

    /// How a measurement compares with its goal.
    enum Verdict: String, Hashable, Sendable {
        case reached, missed, unmeasured, failed
    }

    init(what: String, outcome: Outcome) {
        self.what = what
        self.outcome = outcome
    }

    /// A number of ours that has no peer.
    init(_ what: String, _ ours: Figure, goal: Goal) {
        self.init(what: what, outcome: .measured(ours: ours, peer: nil, goal: goal))
    }

    /// A number of ours beside a peer's; the goal is about ours divided by the peer's.
    init(_ what: String, _ ours: Figure, beside peer: Counterpart, goal: Goal) {
        self.init(what: what, outcome: .measured(ours: ours, peer: peer, goal: goal))
    }

    func named(_ row: String) -> Measurement {
        var named = self
        named.row = row
        return named
    }

    /// Our number divided by the peer's, if there is one.
    var ratio: Double? {
        guard case .measured(let ours, let peer?, _) = outcome, peer.reading.value > 0 else { return nil }
        return ours.value / peer.reading.value
    }

    var verdict: Verdict {
        switch outcome {
        case .measured(let ours, let peer, let goal):
            guard let peer else { return goal.isReached(by: ours.value) ? .reached : .missed }
            if let ratio { return goal.isReached(by: ratio) ? .reached : .missed }
            // The peer did nothing: we reach the goal if we did anything; if neither did, nothing was compared.
            guard case .atLeast = goal, peer.reading.value == 0 else { return .missed }
            return ours.value > 0 ? .reached : .unmeasured
        case .alone, .unmeasured: return .unmeasured
        case .failed: return .failed
        }
    }
}
