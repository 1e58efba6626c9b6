package import Text
package import Uploading

/// An event that an agent reports while it runs.
package enum AgentEvent: Hashable, Sendable {
    /// A file was stored or withdrawn, failed, or is held back.
    case file(FileEvent)
    /// A watch says that a state began, grew or ended.
    case state(Remark)
    /// A watch says what it did since the last batch, and how long that took.
    case batch(Tally, Duration)
}

/// A sentence that a watch says about its state.
package struct Remark: Hashable, Sendable {
    /// How severe the state is; `info` once it is over.
    package let level: LogLevel
    /// What the sentence is about.
    package let topic: WatchState.Topic
    /// One or two sentences: what is wrong, and what to do next.
    package let sentence: String
    /// Whether the state is over.
    package let isOver: Bool
}
