import Catalog
import Gallery
import Reporting
import Sync
import TestSupport

extension Agent {
    /// The first report of which `condition` holds; `what` is said, with the last report, where none comes.
    func report(_ what: String, when condition: @escaping @Sendable (Report) -> Bool) async throws -> Report {
        let last = Shared<Report?>(nil)
        return try await withLimit(what, seen: { last.value.map { "\($0.assets) \($0.queue) \($0.blocked)" } }) {
            try await self.report { report in
                last.change { $0 = report }
                return condition(report)
            }
        }
    }

    /// Returns once it says that the destination cannot be reached.
    func knocksInVain() async throws {
        try await eventually("the agent says that it is offline") { try await self.progress().note == "offline" }
    }
}
