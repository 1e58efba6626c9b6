package import Desktop
package import FoundationEssentials
import Text

/// Decides which notifications are shown, and when; pure logic.
///
/// There are few: for what needs a person, and for files that may be lost, once a day for the same thing.
/// A notification is closed when its cause is gone.
package struct NoticeBoard: Sendable {
    /// When each thing was last shown.
    package private(set) var shownAt: [String: Date]
    /// The notifications that are shown now, by topic.
    private var open: [String: String] = [:]

    /// Seconds within which the same thing is not shown twice.
    package static let day = 86_400.0
    /// The action by which a person has the agent try again.
    package static let retry = "retry"

    /// A change of what the desktop shows.
    package enum Change: Hashable, Sendable {
        case show(HostNotice)
        case close(topic: String)
    }

    /// A board that knows what was shown before.
    package init(shownAt: [String: Date] = [:]) { self.shownAt = shownAt }

    /// The notifications to show and to close for `state`.
    package mutating func changes(for state: WatchState, at now: Date) -> [Change] {
        shownAt = shownAt.filter { !DatedWait(from: $0.value, seconds: Self.day).isOver(at: now) }
        let wanted = state.conditions.filter { $0.key.title(of: $0.value) != nil }
        let topics = Set(wanted.keys.map(\.word))
        let closed = open.keys.filter { !topics.contains($0) }.sorted()
        for topic in closed { open[topic] = nil }
        return closed.map { .close(topic: $0) }
            + wanted.sorted { $0.key < $1.key }.compactMap { change($0.key, $0.value, at: now) }
    }

    private mutating func change(
        _ topic: WatchState.Topic, _ condition: WatchState.Condition, at now: Date
    ) -> Change? {
        let thing = "\(topic.word) \(condition.identity)"
        guard shownAt[thing] == nil, let title = topic.title(of: condition) else { return nil }
        shownAt[thing] = now
        open[topic.word] = condition.identity
        return .show(
            HostNotice(
                topic: topic.word, title: title, text: condition.sentence, isUrgent: topic == .late,
                actions: topic.isTriedAgain ? [.init(Self.retry, "Try again")] : []))
    }
}

extension WatchState.Topic {
    /// The notification's first line; `nil` if the condition needs no person.
    func title(of condition: WatchState.Condition) -> String? {
        switch self {
        case .destination where condition.level == .error: "Files are not stored"
        case .root(let name) where condition.level == .error: "\(name) is not kept safe"
        case .waiting(let reason) where ["signIn", "bucket", "budget"].contains(reason): "Files wait for you"
        case .brake: "Many files changed at once"
        case .lost: "Videos did not come from their provider"
        case .late: "Videos may be lost"
        case .paused, .held, .destination, .root, .waiting, .failed, .pictures: nil
        }
    }

    /// Whether the agent only has to try again once a person has removed the cause.
    fileprivate var isTriedAgain: Bool {
        switch self {
        case .destination, .root, .waiting: true
        case .paused, .held, .failed, .brake, .pictures, .lost, .late: false
        }
    }
}
