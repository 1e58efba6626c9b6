import Catalog
import Configuration
import Foundation
import Gallery
import Platform
import ProviderServer
import Providers
import Queue
import Records
import Rescue
import Serving
import TestSupport
import Transfer

/// A fixture whose agents rescue from simulated providers.
struct Studio: Sendable {
    var fixture: AgentFixture
    let server: ProviderServer

    /// Runs `body` with a studio whose link rules permit the server's private address.
    static func with(
        _ plan: ProviderPlan = ProviderPlan(), _ body: (Studio) async throws -> Void
    ) async throws {
        try await ProviderServer.running(plan) { server, client in
            try await AgentFixture.with([:]) { fixture in
                var studio = Studio(fixture: fixture, server: server)
                let providers = Dictionary(
                    uniqueKeysWithValues: ProviderName.all.map { ($0, server.provider($0, transport: client)) })
                studio.fixture.equip = { setup in
                    setup.rescue.providers = providers
                    setup.rescue.linkRules = LinkRules(configured: [server.origin], sizeLimit: 64 << 20)
                    setup.rescue.folder = setup.locations.state.appending("generated")
                    setup.rescue.polling.first = .milliseconds(10)
                    setup.rescue.polling.longest = .milliseconds(40)
                }
                try await body(studio)
            }
        }
    }

    /// Changes the setup of the next agents.
    mutating func equip(_ more: @escaping @Sendable (inout Agent.Setup) -> Void) {
        let before = fixture.equip
        fixture.equip = { setup in
            before(&setup)
            more(&setup)
        }
    }

    /// Rescues what `order` names, as a new process would.
    func rescue(_ what: RescueOrder.What) async throws -> (result: RescueListing, ending: Ending) {
        try await fixture.run { try await $0.rescue(RescueOrder(what)) }
    }

    func rescue(_ links: String...) async throws -> (result: RescueListing, ending: Ending) {
        try await rescue(.links(links.map { RescueLink($0) }))
    }

    /// The jobs as they stand on disk.
    func jobs() throws -> [Job] {
        try JobStore(state: try fixture.locations.state).load().entries
    }

    /// The names below the root of rescued files.
    func files() throws -> [String] {
        Self.names(in: try FileTree(at: try fixture.locations.state.appending("generated"))).sorted()
    }

    static func names(in tree: FileTree) -> [String] {
        tree.nodes.flatMap { name, node in
            guard case .directory(let below) = node else { return [name.display] }
            return names(in: below).map { "\(name.display)/\($0)" }
        }
    }

    /// What a provider calls a job, by a short name.
    static func reference(_ site: ProviderName, _ name: String) -> JobReference {
        let id = site == .gemini ? "models/veo/operations/\(name)" : site == .storyToVideo ? "tasks/\(name)" : name
        return JobReference(site, id, model: "fal-ai/veo3.1")
    }

    /// Adds a job that makes one movie, and returns its reference.
    @discardableResult
    func add(_ site: ProviderName, _ name: String, _ media: MadeMedia, running: Int = 0) -> JobReference {
        let reference = Self.reference(site, name)
        server.add(MadeJob(site, reference.id, model: "fal-ai/veo3.1", media: [media], running: running))
        return reference
    }

    /// The ranges requested by GETs of the file at `path`.
    func ranges(_ path: String) -> [String] {
        server.log.filter { $0.path == path && $0.method == "GET" }.map { $0.headers["range"] ?? "all" }
    }
}

extension Studio {
    /// The jobs as a command shows them.
    func workshopJobs() async -> [Job] {
        (try? await fixture.run(.steering) { await $0.jobOrders.all() }) ?? []
    }
}
