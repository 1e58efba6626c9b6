package import Browsing
import Catalog
import Configuration
import Control
import Dashboard
package import Gallery
import Platform
import Records
package import Roots
import Text
import Uploading

extension Run {
    /// Serves the page of `agent` while `body` runs, if the settings ask for it.
    ///
    /// If the port is taken, the watch goes on without a page.
    package func servingPage(
        of agent: Agent, _ setup: Setup, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard let gate = agent.setup.hooks.gate else { return try await body() }
        let library = try Library(path: setup.locations.library, isReadOnly: true)
        let host = AgentPage(agent, library, home: setup.home)
        let contents = PageContents(
            timeline: try await Timeline(at: setup.locations.library), roots: agent.roots, in: setup)
        let log = log(setup.settings.log)
        let server = PageServer(
            gate: gate, host: host, contents: contents, port: UInt16(setup.settings.page.port), log: log)
        do {
            try server.start()
        } catch {
            let port = setup.settings.page.port
            let isTaken = Refusal(listening: error, on: UInt16(port)) != nil
            let reason = isTaken ? "port \(port) is not free, choose another one as page.port" : error.reason
            log.warning("The gallery page is not served: \(reason)")
            return try await body()
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await host.work() }
                group.addTask { try await body() }
                // The host works until it is cancelled, so the first task to end is the body, or one that failed.
                try await group.next()
                group.cancelAll()
            }
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }
}

extension PageContents {
    /// The data of the profile in `setup`.
    package init(timeline: Timeline, roots: RootRegistry, in setup: Setup) {
        self.init(
            timeline: timeline, roots: roots, thumbnails: ThumbnailCache(folder: setup.locations.thumbnails),
            sizes: setup.settings.thumbnails.enabled ? setup.settings.thumbnails.sizes : [],
            kept: KeptPieces(folder: setup.locations.originals, limit: Int64(setup.settings.page.cacheBytes)))
    }
}
