import Catalog
import Configuration
package import FoundationEssentials
import Platform
import Queue
import Sync

extension Agent {
    /// Takes in what earlier runs learned, and lets go what need not wait any more.
    func openLimits() async throws {
        try await limits.load()
        if budget.isLimited {
            budget.load(stored: try await library.storedBytes(destination: setup.destination.name))
            budget.count(leftovers: try await library.leftoverBytes(destination: setup.destination.name))
        }
        guard await queue.count().blocked > 0 || library.hasBlocked else { return }
        // A new run may have another budget.
        try await uploader.unblock(.offline)
        try await uploader.unblockWhatFits()
        // Nothing goes before somebody looked at the bucket.
        try await uploader.suspectWhatWas(mayProbe: false)
    }

    /// Keeps to the timetable of rates, tries once an hour whether what is in the way was mended, and once a day
    /// whether a size limit still holds.
    func tendLimits() async throws {
        let rates = setup.settings.upload.limitRate
        var current = rates?.rate(at: setup.clock())
        var probed: Date?
        var nextLook = setup.clock() + Self.lookInterval
        while !watching.isStopping {
            let wakeups = upkeep.wakeups
            let now = setup.clock()
            let next = rates?.rate(at: now)
            if next != current { setup.setRate(next) }
            current = next
            if let probeAt = limits.probeAt, probeAt <= now, probeAt != probed {
                probed = probeAt
                try await uploader.probeCauses { $0.blocked == .tooLarge }
            }
            if nextLook <= now {
                nextLook = now + Self.lookInterval
                // What is open as a whole has probes of its own, sizes and failures have theirs once a day.
                if uploader.obstacle == nil {
                    try await uploader.probeCauses { $0.blocked == .signIn }
                }
            }
            try Task.checkCancellation()
            let wait = rates?.varies == true ? Self.minuteLeft(at: now) : Self.lookInterval
            await upkeep.wait(after: wakeups, until: now + wait)
        }
    }

    /// Seconds between two looks at what somebody may have mended.
    private static let lookInterval = 3_600.0

    /// Seconds until the next full minute, at which rates change.
    private static func minuteLeft(at now: Date) -> Double {
        60 - now.timeIntervalSince1970.truncatingRemainder(dividingBy: 60)
    }

    /// The user says that things have changed, as after a `login`: everything that waits for them is tried.
    package func goOn() async throws {
        try await uploader.reopen()
        try await uploader.unblock(.signIn)
        wake.notify()
    }
}

extension RateTimetable {
    /// Bytes per second at `now` by the clock on the wall.
    package func rate(at now: Date) -> Int? {
        rate(wallSeconds: WallClock.seconds(at: Int64(now.timeIntervalSince1970.rounded(.down))))
    }
}
