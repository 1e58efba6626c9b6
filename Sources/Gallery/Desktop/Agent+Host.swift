import Configuration
import Dashboard
import Desktop
import FoundationEssentials
import Narration
import Queue
import Rescue
import Uploading

extension Agent {
    /// Heeds what the computer says about network, power and sleep, until the agent is told to stop.
    func heedHost() async throws {
        guard let link = setup.hooks.host else { return }
        link.delaySleep()
        link.begin()
        for await change in link.changes {
            try Task.checkCancellation()
            switch change {
            case .state(let state):
                host.take(state)
                try await restrain()
            case .sleeps: try await fallAsleep(link)
            case .woke: try await wakeUp(link)
            case .chose(let action, _): try await carryOut(action, link)
            }
        }
    }

    /// Makes the stages do what `host` demands now.
    func restrain() async throws {
        let (old, new) = (uploader.restraint, host.restraint)
        guard old != new else { return }
        uploader.setRestraint(new)
        rescuer.setAllowance(new == .metered ? Int64(setup.settings.rescue.meteredBytes) : nil)
        if new == .metered { try await holdOne() }
        if old == .metered { try await uploader.unblock(.metered) }
        if old == .portal { try await tryConnecting() }
        wake.notify()
    }

    /// Marks one due item, so that reports name the cause, as with any cause that stands in the way of everything.
    private func holdOne() async throws {
        guard let item = await queue.unfinished().first(where: \.isDue) else { return }
        try await queue.update(now: setup.clock()) { $0.id == item.id ? $0.held : nil }
    }

    /// Stops waiting for a connection, because its obstacle is over.
    private func tryConnecting() async throws {
        switch uploader.obstacle?.reason {
        case .offline, .untrusted: try await uploader.reopen()
        default: return
        }
    }

    /// Sends in spite of network or power, until either of them changes.
    func override() async throws {
        host.override()
        try await restrain()
    }

    private func carryOut(_ action: String, _ link: any HostLink) async throws {
        switch TrayAction(rawValue: action) {
        case .open:
            if let page = setup.hooks.gate?.link(lifetime: Gate.linkLifetime) { link.open(page) }
        case .sync:
            rescans.notify()
            try await goOn()
        case .pause: try await pause(until: setup.clock() + TrayAction.pauseSeconds)
        case .resume: try await resume()
        case nil: if action == NoticeBoard.retry { try await goOn() }
        }
        // The tray shows it at once.
        wake.notify()
    }
}

// MARK: - Sleep

extension Agent {
    /// Seconds that running pieces may take to end before a sleep, and then those that were dropped.
    private static let pieceEnd = 2.5
    private static let dropEnd = 1.0

    /// Brings everything to a state that survives an endless sleep, then lets the computer sleep.
    private func fallAsleep(_ link: any HostLink) async throws {
        host.setAsleep(true)
        try await restrain()
        try await tellDeadlines(link)
        await drain(Self.pieceEnd)
        if uploader.isBusy {
            setup.hooks.dropConnections()
            await drain(Self.dropEnd)
        }
        try await queue.synchronize()
        link.letSleep()
    }

    /// Waits until no request is under way, or so many seconds.
    private func drain(_ seconds: Double) async {
        let end = setup.clock() + seconds
        while true {
            let wakeups = wake.wakeups
            guard uploader.isBusy, setup.clock() < end, !Task.isCancelled else { return }
            await wake.wait(after: wakeups, until: end)
        }
    }

    /// Goes on over new connections, scans all folders, and applies limits anew.
    private func wakeUp(_ link: any HostLink) async throws {
        host.setAsleep(false)
        link.delaySleep()
        // The other side has given up the old connections.
        setup.hooks.dropConnections()
        try await restrain()
        try await tryConnecting()
        rescans.notify()
        upkeep.notify()
        rescuer.notify()
    }
}

extension Item {
    /// The item while the network is metered.
    fileprivate var held: Item? {
        guard case .blocked(let reason, let failure) = Restraint.metered.outcome, isDue else { return nil }
        var next = self
        next.blocked = reason
        next.lastError = failure
        return next
    }
}
