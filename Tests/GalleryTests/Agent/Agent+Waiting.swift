import Catalog
import Gallery
import Reporting
import Sync
import TestSupport

extension Agent {
    /// The first report that meets `condition`; where none does, fails with `what` and the last report.
    func report(_ what: String, when condition: @escaping @Sendable (Report) -> Bool) async throws -> Report {
        let last = Shared<Report?>(nil)
        return try await withLimit(what, seen: { last.value.map { "\($0.assets) \($0.queue) \($0.blocked)" } }) {
            try await self.report { report in
                last.change { $0 = report }
                return condition(report)
            }
        }
    }

    /// Returns once the agent reports that the destination cannot be reached.
    func knocksInVain() async throws {
        try await eventually("the agent says that it is offline") { try await self.progress().note == "offline" }
    }
}

extension AgentFixture {
    /// Runs `body` while a new agent watches the configured roots; the watch ends with it.
    func watching<Value: Sendable>(_ body: @escaping @Sendable (Agent) async throws -> Value) async throws -> Value {
        try await run(.watch) { agent in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await agent.keepSafe([]) }
                defer { group.cancelAll() }
                return try await body(agent)
            }
        }
    }
}
