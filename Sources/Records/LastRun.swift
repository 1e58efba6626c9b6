package import FoundationEssentials
package import Text

/// How the last pass or watch of a profile went, as the library remembers it.
package struct LastRun: Codable, Hashable, Sendable {
    /// The command that looks at the folders.
    package enum Command: String, Codable, Hashable, Sendable {
        /// One pass.
        case sync
        /// A watch, which goes on until it is stopped.
        case watch
    }

    /// What ran.
    package var command: Command
    /// When it began.
    package var began: Date
    /// When it ended or was refused; `nil` while it runs, and if a crash cut it off.
    @OrNull package var ended: Date?
    /// How it ended; `nil` while it runs, and if a crash cut it off.
    @OrNull package var ending: Ending.Kind?
    /// The ending's sentence; `nil` where there is nothing to say.
    @OrNull package var message: String?
    /// Whether it ended only because a disk is away; `nil` for no, and from earlier versions.
    package var awaitsDisk: Bool?

    /// A run that has just begun.
    package init(_ command: Command, began: Date) {
        self.command = command
        self.began = began
        (ended, ending, message) = (nil, nil, nil)
    }

    /// The run after its end; an empty `message` says nothing.
    package func ended(
        _ ending: Ending.Kind, _ message: String = "", awaitsDisk: Bool? = nil, at now: Date
    ) -> LastRun {
        var run = self
        (run.ended, run.ending, run.message) = (now, ending, message.isEmpty ? nil : message)
        run.awaitsDisk = awaitsDisk
        return run
    }
}
