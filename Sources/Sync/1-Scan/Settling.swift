package import FoundationEssentials
package import Platform
import Text

/// Files that were written to lately, and when each has been left alone for long enough.
package struct Settling: Sendable {
    private var due: [FilePath: Date] = [:]
    /// How long a file must have been left alone.
    private let settle: Double

    package init(settle: Duration) {
        self.settle = settle.seconds
    }

    /// How long a file that is still open is left alone, unless it is closed before.
    ///
    /// Its writer may only be slow; whoever never closes his files has to wait.
    package static let openPatience = 60.0

    /// The file was written to, or found fresh; by somebody who has it open still, where that is known.
    package mutating func touch(_ path: FilePath, isOpen: Bool = false, at now: Date) {
        due[path] = now + (isOpen ? max(settle, Self.openPatience) : settle)
    }

    /// The file is not there any more.
    package mutating func forget(_ path: FilePath) {
        due[path] = nil
    }

    /// The files that have settled by `now`, which are not kept any longer.
    package mutating func settled(by now: Date) -> [FilePath] {
        let ready = due.filter { $0.value <= now }.keys
        for path in ready { due[path] = nil }
        return ready.sorted()
    }

    /// When the next file settles.
    package var next: Date? { due.values.min() }
}
