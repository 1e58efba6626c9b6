package import FoundationEssentials
package import Queue
package import Rescue

/// The parts of a report that the library does not have: from a running agent, or from the files that one left.
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
    /// The causes that keep the queue's own items waiting; items that wait in the library are added to them.
    var blocked: [Report.Blocked]
    /// The queue's items that wait for a cause, for a page that names them.
    package var waiting: [Item] = []
    /// What is known of provider jobs; `nil` where there are none.
    var rescue: RescueSummary?
    /// Why roots are away, by name, if that is known better than from the library.
    package var absences: [String: String] = [:]
    /// The names of the roots that the configuration no longer contains.
    package var dropped: Set<String> = []
    /// The names of the roots whose place another disk has taken as a new root.
    package var replaced: Set<String> = []
    /// Files that a watch leaves alone until their writers are done; `nil` without a watch.
    package var settling: Int?
    /// What limits the sending; `nil` where no agent runs that knows it.
    package var limits: Report.Limits?
    /// Sentences that come after those which the library gives rise to.
    package var notes: [String] = []

    /// The parts that a source has found.
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
