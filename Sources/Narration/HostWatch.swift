package import Desktop
import Sync
import Synchronization
package import Uploading

/// What a watch knows of the computer, and what the user has said about it.
package final class HostWatch: Sendable {
    private struct State {
        var host = HostState()
        var override: HostOverride?
        var isAsleep = false
    }

    private let state = Mutex(State())
    private let policy: HostPolicy

    /// A watch over a computer of which nothing is known yet.
    package init(_ policy: HostPolicy) { self.policy = policy }

    /// Why nothing is to be sent now.
    package var restraint: Restraint? {
        state.withLock { state in
            state.isAsleep ? .sleep : policy.restraint(state.host, override: state.override)
        }
    }

    /// Takes in what the computer says now; an override that this ends is forgotten.
    package func take(_ host: HostState) {
        state.withLock { state in
            state.host = host
            if state.override?.holds(for: host) == false { state.override = nil }
        }
    }

    /// Notes that the computer goes to sleep, or woke up.
    package func setAsleep(_ isAsleep: Bool) { state.withLock { $0.isAsleep = isAsleep } }

    /// Sends in all the same, until network or power are others.
    package func override() { state.withLock { $0.override = HostOverride($0.host) } }
}
