package import FoundationEssentials
import Platform

extension Agent {
    /// Takes in what earlier runs learned, and lets go what need not wait any more.
    func openLimits() async throws {
        try await limits.load()
        if budget.isLimited {
            budget.load(stored: try await library.storedBytes(destination: setup.destination.name))
        }
        guard await queue.count().blocked > 0 || library.hasBlocked else { return }
        // A new run may have another key, another sign-in, another budget.
        try await uploader.unblock(.signIn)
        try await uploader.unblock(after: .quota)
        try await uploader.unblock(.offline)
        try await uploader.unblockWhatFits()
        if let probeAt = limits.probeAt, probeAt > setup.clock() { return }
        try await uploader.probeSizeLimit()
    }

    /// Keeps to the timetable of rates, and tries once a day whether a size limit still holds.
    func tendLimits() async throws {
        let rates = setup.settings.upload.limitRate
        var current = rates?.rate(at: setup.clock())
        var probed: Date?
        while !watching.isStopping {
            let rings = upkeep.rings
            let now = setup.clock()
            let next = rates?.rate(at: now)
            if next != current { setup.setRate(next) }
            current = next
            if let probeAt = limits.probeAt, probeAt <= now, probeAt != probed {
                probed = probeAt
                try await uploader.probeSizeLimit()
            }
            try Task.checkCancellation()
            await upkeep.wait(after: rings, until: now + (rates?.varies == true ? Self.minuteLeft(at: now) : 3_600))
        }
    }

    /// Seconds until the next full minute, at which rates change.
    private static func minuteLeft(at now: Date) -> Double {
        60 - now.timeIntervalSince1970.truncatingRemainder(dividingBy: 60)
    }

    /// The user says that things have changed, as after a `login`: everything that waits for them is tried.
    package func goOn() async throws {
        try await uploader.reopen()
        try await uploader.unblock(.signIn)
        bell.ring()
    }
}

extension RateTimetable {
    /// Bytes per second at `now` by the clock on the wall.
    package func rate(at now: Date) -> Int? {
        rate(wallSeconds: WallClock.seconds(at: Int64(now.timeIntervalSince1970.rounded(.down))))
    }
}
