package import FoundationEssentials

/// When a watch gives back the memory of a burst of work: once it has been quiet for some seconds; pure logic.
///
/// What is given back is read again for the next file, so single files that follow each other do not pay for it.
package struct MemoryPace: Sendable {
    /// When to give back; `nil` where nothing was done since the last time.
    package private(set) var due: Date?

    /// One that waits for nothing.
    package init() {}

    /// Seconds without work.
    package static let patience = 5.0

    /// Takes in a look that found something changed.
    package mutating func note(isQuiet: Bool, at now: Date) { due = isQuiet ? now + Self.patience : nil }

    /// Whether to give back now.
    package mutating func take(isQuiet: Bool, at now: Date) -> Bool {
        guard let due, isQuiet, due <= now else { return false }
        self.due = nil
        return true
    }
}
