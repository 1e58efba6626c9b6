package import Text
package import Uploading

/// What an agent tells while it runs.
package enum AgentEvent: Hashable, Sendable {
    /// Something became of a file.
    case file(FileEvent)
    /// A watch says that a state began, grew or ended.
    case state(Remark)
    /// A watch says what it did since the last time; the time is the span.
    case batch(Tally, Duration)
}

/// A sentence of a watch about its state.
package struct Remark: Hashable, Sendable {
    /// How severe it is; `info` for what is over.
    package let level: LogLevel
    /// What it is about.
    package let topic: WatchState.Topic
    /// One or two sentences: what, and what to do next.
    package let sentence: String
    /// Whether the state is over.
    package let isOver: Bool
}
