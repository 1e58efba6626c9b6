package import FoundationEssentials
import Text

/// Decides which changes of state a watch says, and when; pure logic.
///
/// A state is compared with what was last said, not with what was last seen, so a change that is not said now is said
/// later.
package struct WatchVoice: Sendable {
    /// The conditions that the log has told.
    private var known: [WatchState.Topic: WatchState.Condition] = [:]
    private var lastSaid: [String: Date] = [:]

    /// A voice that has said nothing yet.
    package init() {}

    /// Seconds within which no sentence is said twice.
    static let hour = 3_600.0

    /// The sentences that tell what changed.
    ///
    /// - Parameter isQuiet: Whether counts have stopped changing; until then a growing count is not said again.
    package mutating func remarks(on state: WatchState, isQuiet: Bool, at now: Date) -> [Remark] {
        lastSaid = lastSaid.filter { !DatedWait(from: $0.value, seconds: Self.hour).isOver(at: now) }
        let topics = Set(known.keys).union(state.conditions.keys).sorted()
        return topics.compactMap { topic in
            let condition = state.conditions[topic]
            guard let remark = Self.remark(topic, known[topic], condition, isQuiet) else { return nil }
            guard lastSaid.updateValue(lastSaid[remark.sentence] ?? now, forKey: remark.sentence) == nil else {
                return nil
            }
            known[topic] = condition
            return remark
        }
    }

    private static func remark(
        _ topic: WatchState.Topic, _ known: WatchState.Condition?, _ now: WatchState.Condition?, _ isQuiet: Bool
    ) -> Remark? {
        guard let now else {
            return known.map { Remark(level: .info, topic: topic, sentence: $0.relief, isOver: true) }
        }
        let isSame = known.map { $0.identity == now.identity && ($0.count >= now.count || !isQuiet) } ?? false
        return isSame ? nil : Remark(level: now.level, topic: topic, sentence: now.sentence, isOver: false)
    }
}
