import Catalog
import Configuration
package import FoundationEssentials
import Platform
import Queue
import Records
import Sync
import Text
import Uploading

extension Agent {
    /// Loads the limits that earlier runs learned, and unblocks items that need not wait any more.
    func openLimits() async throws {
        try await limits.load()
        try await budget.load(from: library, at: setup.destination.name)
        guard await queue.count().blocked > 0 || library.hasBlocked else { return }
        // This run may have another budget.
        try await uploader.unblock(.offline)
        try await uploader.unblockFull()
        try await uploader.unblockWhatFits()
        try await uploader.rewordRoom()
        // Nothing is sent before the bucket is checked.
        try await uploader.suspectWhatWas(mayProbe: false)
    }

    /// Rewords what waits for room by the present budget, and drops items whose files are gone.
    ///
    /// Items that do not fit are not tried, so nothing else notices that their files are gone.
    func tellRoom() async throws {
        var gone: Set<RootedPath> = []
        for item in await queue.unfinished() where item.waitsForRoom {
            let asset = try await library.asset(root: item.root, path: item.filePath)
            guard [.gone, .remoteOnly].contains(asset?.state) else { continue }
            gone.insert(item.file)
        }
        if !gone.isEmpty { _ = try await uploader.withdraw(gone) }
        try await uploader.rewordRoom()
    }

    /// Applies the rate timetable, and probes blocked items: hourly for causes, daily for size limits.
    func tendLimits() async throws {
        let rates = setup.settings.upload.limitRate
        // The transport has the rate from the start.
        var current = rates?.rate(at: setup.clock())
        var probed: Date?
        var wait = DatedWait(from: setup.clock(), seconds: Self.lookInterval)
        while !watching.isStopping {
            let wakeups = upkeep.wakeups(heardBy: .limits)
            let now = setup.clock()
            let rate = rate(at: now)
            if rate != current { setup.hooks.setRate(rate) }
            current = rate
            if let probeAt = limits.probeAt, limits.mayProbe(at: now), probeAt != probed {
                probed = probeAt
                try await uploader.probeCauses { $0.blocked == .tooLarge }
            }
            if wait.isOver(at: now) {
                wait = DatedWait(from: now, seconds: Self.lookInterval)
                // An open circuit has probes of its own; size limits and failures are probed once a day.
                if uploader.obstacle == nil {
                    try await uploader.probeCauses { $0.blocked == .signIn }
                    try await uploader.unblockFull()
                }
            }
            let pauseEnd = try await endPause(at: now)
            try Task.checkCancellation()
            let next = now + (rates?.varies == true ? Self.minuteLeft(at: now) : Self.lookInterval)
            await upkeep.wait(after: wakeups, until: min(next, pauseEnd ?? next))
        }
    }

    /// Sends at most `rate` bytes per second while `body` runs, whatever the settings say; `nil` changes nothing.
    package func limiting<Value: Sendable>(
        to rate: Int?, _ body: () async throws -> Value
    ) async throws -> Value {
        guard let rate, watching.isOn else { return try await body() }
        watching.askedRate = rate
        upkeep.notify()
        defer {
            watching.askedRate = nil
            upkeep.notify()
        }
        return try await body()
    }

    /// The limit of bytes per second at `now`: what a request asks for, else what the settings say.
    func rate(at now: Date) -> Int? { watching.askedRate ?? setup.settings.upload.limitRate?.rate(at: now) }

    /// Seconds between two probes of causes that a person may have fixed.
    private static let lookInterval = 3_600.0

    /// Seconds until the next full minute, at which rates change.
    private static func minuteLeft(at now: Date) -> Double {
        60 - now.timeIntervalSince1970.truncatingRemainder(dividingBy: 60)
    }

    /// Tries everything that waited for the user, because the user has changed something, such as by `login`.
    package func goOn() async throws {
        try await uploader.reopen()
        try await uploader.unblock(.signIn)
        wake.notify()
    }
}

extension RateTimetable {
    /// Bytes per second at `now`, in local time; `nil` for no limit.
    package func rate(at now: Date) -> Int? {
        rate(wallSeconds: WallClock.seconds(at: Int64(now.timeIntervalSince1970.rounded(.down))))
    }
}
