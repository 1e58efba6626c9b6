package import Desktop
import Sync
import Synchronization
package import Uploading

/// What a watch knows of the computer, and whether the user overrides what follows from that.
package final class HostWatch: Sendable {
    private struct State {
        var host = HostState()
        var override: HostOverride?
        var isAsleep = false
    }

    private let state = Mutex(State())
    private let policy: HostPolicy

    /// A watch that knows nothing of the computer yet.
    package init(_ policy: HostPolicy) { self.policy = policy }

    /// Why nothing is to be sent now.
    package var restraint: Restraint? {
        state.withLock { state in
            state.isAsleep ? .sleep : policy.restraint(state.host, override: state.override)
        }
    }

    /// Notes the computer's new state; forgets an override that it ends.
    package func take(_ host: HostState) {
        state.withLock { state in
            state.host = host
            if state.override?.holds(for: host) == false { state.override = nil }
        }
    }

    /// Notes that the computer goes to sleep, or woke up.
    package func setAsleep(_ isAsleep: Bool) { state.withLock { $0.isAsleep = isAsleep } }

    /// Has files sent all the same, until network or power change.
    package func override() { state.withLock { $0.override = HostOverride($0.host) } }
}
