package import Dashboard
package import Desktop
package import Narration
package import Text

/// What links an agent with the process that it runs in: what hears of the run, and the switches of what is outside.
package struct ProcessHooks: Sendable {
    /// The last lines of the log; `nil` where nothing shows them.
    package var tail: LogTail?
    /// Called with each event of the run, on any thread; the log has them, too.
    package var hear: @Sendable (AgentEvent) -> Void = { _ in }
    /// Hears how a watch is; `nil` where nothing supervises this process.
    package var supervisor: Supervisor?
    /// The desktop, which tells of network, power and sleep; `nil` where it is not heeded.
    package var host: (any HostLink)?
    /// Makes links to the page that this process serves; `nil` where it serves none.
    package var gate: Gate?
    /// Replaces the file of metrics by this text; `nil` where the settings name none.
    package var keepMetrics: (@Sendable (String) throws -> Void)?
    /// Ends running requests to the destination, which then are made again over new connections.
    package var dropConnections: @Sendable () -> Void = {}
    /// Limits the bytes per second of the transport; `nil` lifts the limit.
    package var setRate: @Sendable (Int?) -> Void = { _ in }

    /// Hooks that nothing is linked to.
    package init() {}
}
