package import FoundationEssentials
package import Platform

/// Files that were written to lately, and when each has been left alone for long enough.
package struct Settling: Sendable {
    private var due: [FilePath: Date] = [:]
    /// How long a file must have been left alone.
    private let settle: Double

    package init(settle: Duration) {
        self.settle = settle.seconds
    }

    /// The file was written to, or found fresh.
    package mutating func touch(_ path: FilePath, at now: Date) {
        due[path] = now + settle
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
