package import Configuration
package import Dashboard
package import Desktop
package import Narration
package import Text

/// What links an agent with its process: what hears of the run, and the switches of what is outside the agent.
package struct ProcessHooks: Sendable {
    /// The last lines of the log; `nil` where nothing shows them.
    package var tail: LogTail?
    /// Called with each event of the run, on any thread; the log has them, too.
    package var hear: @Sendable (AgentEvent) -> Void = { _ in }
    /// Hears how a watch is going; `nil` if nothing supervises this process.
    package var supervisor: Supervisor?
    /// The desktop, which tells of network, power and sleep; `nil` if it is ignored.
    package var host: (any HostLink)?
    /// Makes links to the page that this process serves; `nil` where it serves none.
    package var gate: Gate?
    /// Replaces the file of metrics by this text; `nil` if the settings name none.
    package var keepMetrics: (@Sendable (String) throws -> Void)?
    /// Reads the settings that this process would have if it started now; `nil` if that fails.
    package var readSettings: @Sendable () -> Settings? = { nil }
    /// Ends running requests to the destination, which are then repeated over new connections.
    package var dropConnections: @Sendable () -> Void = {}
    /// Limits the bytes per second of the transport; `nil` lifts the limit.
    package var setRate: @Sendable (Int?) -> Void = { _ in }

    /// Hooks that are linked to nothing.
    package init() {}
}
