package import FoundationEssentials
package import Platform
import Text

/// Files that were written to lately, and when each has been left alone for long enough.
package struct Settling: Sendable {
    private var due: [FilePath: Wait] = [:]
    /// How long a file must have been left alone.
    private let settle: Double

    private struct Wait {
        let until: DatedWait
        let wasRemoved: Bool
    }

    /// A file that has been left alone for long enough.
    package struct Settled: Sendable {
        /// Below its root.
        package let path: FilePath
        /// Whether a file of that name was removed since it last settled.
        package let wasRemoved: Bool
    }

    /// Holds no files yet; each is to be left alone for `settle`.
    package init(settle: Duration) {
        self.settle = settle.seconds
    }

    /// Seconds for which a file that is still open is left alone, unless it is closed before.
    ///
    /// Its writer may only be slow; a file that is never closed has to wait this long.
    package static let openPatience = 60.0

    /// Seconds for which a name is left alone after its file was removed, because a program that rewrites a file may
    /// remove it first.
    package static let removalPatience = 2.0

    /// Notes that the file was removed.
    package mutating func touch(removed path: FilePath, at now: Date) {
        due[path] = Wait(until: DatedWait(from: now, seconds: min(settle, Self.removalPatience)), wasRemoved: true)
    }

    /// Notes that the file was written to or found fresh; `isOpen` if its writer is known to have it open.
    package mutating func touch(_ path: FilePath, isOpen: Bool = false, at now: Date) {
        let seconds = isOpen ? max(settle, Self.openPatience) : settle
        due[path] = Wait(
            until: DatedWait(from: now, seconds: seconds), wasRemoved: due[path]?.wasRemoved ?? false)
    }

    /// The files that have settled by `now`, in the order of their paths; they are not kept any longer.
    package mutating func settled(by now: Date) -> [Settled] {
        let ready = due.filter { $0.value.until.isOver(at: now) }
        for path in ready.keys { due[path] = nil }
        return ready.sorted { $0.key < $1.key }.map { Settled(path: $0.key, wasRemoved: $0.value.wasRemoved) }
    }

    /// How many files have not settled yet.
    package var count: Int { due.count }

    /// When the next file settles.
    package var next: Date? { due.values.map(\.until.end).min() }
}
