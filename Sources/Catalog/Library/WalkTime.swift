import Database
import Synchronization

/// The moments at which looks found files while a walk went on, because one may lie where the walk had passed before.
///
/// They are kept as they were written down, since the clock may be set back meanwhile.
package final class WalkTime: Sendable {
    private let found = Mutex<ClosedRange<Int64>?>(nil)

    /// Notes that a look finds a file at `moment`, in nanoseconds.
    func note(_ moment: Int64) {
        found.withLock { found in
            guard let known = found else { return found = moment...moment }
            found = min(known.lowerBound, moment)...max(known.upperBound, moment)
        }
    }

    /// The first and the last of these moments.
    var bounds: [Value] {
        found.withLock { $0 }.map { [.integer($0.lowerBound), .integer($0.upperBound)] } ?? Self.never
    }

    /// The bounds of no time at all.
    static let never: [Value] = [.integer(1), .integer(0)]
}

/// A walk that may have ended meanwhile.
struct StartedWalk {
    weak var time: WalkTime?
}

extension Library {
    /// The time of a walk that begins now; the walk goes on as long as the caller keeps it.
    package func beginWalk() -> WalkTime {
        let time = WalkTime()
        walks.removeAll { $0.time == nil }
        walks.append(StartedWalk(time: time))
        return time
    }
}
