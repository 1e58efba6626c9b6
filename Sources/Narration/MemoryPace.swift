package import FoundationEssentials
import Text

/// Decides when a watch gives back the memory of a burst of work: once it has been quiet for some seconds; pure logic.
///
/// The wait spares single files that follow each other, because the next file has to read again what was given back.
package struct MemoryPace: Sendable {
    private var wait: DatedWait?

    /// When to give back memory; `nil` if nothing was done since the last time.
    package var due: Date? { wait?.end }

    /// A pace that waits for nothing.
    package init() {}

    /// Seconds without work before memory is given back.
    package static let patience = 5.0

    /// Notes a change, and whether work is over.
    package mutating func note(isQuiet: Bool, at now: Date) {
        wait = isQuiet ? DatedWait(from: now, seconds: Self.patience) : nil
    }

    /// Whether to give back memory now.
    package mutating func take(isQuiet: Bool, at now: Date) -> Bool {
        guard let wait, isQuiet, wait.isOver(at: now) else { return false }
        self.wait = nil
        return true
    }
}
