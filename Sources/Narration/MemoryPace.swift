package import FoundationEssentials
import Text

/// When a watch gives back the memory of a burst of work: once it has been quiet for some seconds; pure logic.
///
/// What is given back is read again for the next file, so single files that follow each other do not pay for it.
package struct MemoryPace: Sendable {
    private var wait: DatedWait?

    /// When to give back; `nil` where nothing was done since the last time.
    package var due: Date? { wait?.end }

    /// One that waits for nothing.
    package init() {}

    /// Seconds without work.
    package static let patience = 5.0

    /// Takes in a look that found something changed.
    package mutating func note(isQuiet: Bool, at now: Date) {
        wait = isQuiet ? DatedWait(from: now, seconds: Self.patience) : nil
    }

    /// Whether to give back now.
    package mutating func take(isQuiet: Bool, at now: Date) -> Bool {
        guard let wait, isQuiet, wait.isOver(at: now) else { return false }
        self.wait = nil
        return true
    }
}
