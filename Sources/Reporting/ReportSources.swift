package import FoundationEssentials
package import Queue
package import Rescue

/// What a report is made of beside the library: of a running agent, or of the files that one left.
package struct ReportSources: Sendable {
    /// When the report is made.
    var createdAt: Date
    /// What the agent does, or that none runs.
    var agent: Report.Agent
    /// Where objects are stored; `nil` where none is chosen.
    var destination: Report.Destination?
    /// Items by state.
    var queue: QueueCounts
    /// When the next item falls due; `nil` where none waits for a time.
    var nextAttempt: Date?
    /// What is in the way of the queue's own items; what waits in the library comes on top.
    var blocked: [Report.Blocked]
    /// The queue's items that wait for a cause, where a page names them.
    package var waiting: [Item] = []
    /// What is known of provider jobs; `nil` where there are none.
    var rescue: RescueSummary?
    /// Why roots are away, by name, where that is known better than the library does.
    package var absences: [String: String] = [:]
    /// The names of the roots that the configuration asks for no more.
    package var dropped: Set<String> = []
    /// The names of the roots at whose place another disk was taken as a new root.
    package var replaced: Set<String> = []
    /// Files that a watch leaves alone until their writers are done; `nil` where none watches.
    package var settling: Int?
    /// What limits the sending; `nil` where no agent runs that knows it.
    package var limits: Report.Limits?
    /// Come after those that the library gives reason for.
    package var notes: [String] = []

    /// What a report is made of, as its source found it.
    package init(
        createdAt: Date, agent: Report.Agent, destination: Report.Destination?, queue: QueueCounts,
        nextAttempt: Date?, blocked: [Report.Blocked], rescue: RescueSummary?
    ) {
        self.createdAt = createdAt
        self.agent = agent
        self.destination = destination
        self.queue = queue
        self.nextAttempt = nextAttempt
        self.blocked = blocked
        self.rescue = rescue
    }
}
