import Catalog
import Configuration
import Platform
import Records
import TestSupport
import Testing
import Text
import Transfer

@testable import Control
@testable import Gallery

@Suite struct ControlServerTests {
    /// Runs an agent that listens, and a transport to ask it over.
    private func withAgent(_ body: @escaping @Sendable (FilePath, HTTPClient) async throws -> Void) async throws {
        try await AgentFixture.with([:]) { fixture in
            let locations = try fixture.locations
            try await fixture.run(.steering) { agent in
                let server = try ControlServer(agent, locations: locations)
                try server.start()
                do {
                    try await body(locations.controlSocket, fixture.client)
                } catch {
                    await server.stop()
                    throw error
                }
                await server.stop()
            }
        }
    }

    @Test func eachRequestHasItsOwnReply() async throws {
        try await withAgent { socket, transport in
            let client = ControlClient(socket: socket, transport: transport)
            #expect(try await client.ask(PauseOrder()) == .ended(.done))
            #expect(try await client.ask(ItemsOrder()) == .answered([]))
            #expect(try await client.ask(CancelOrder(paths: [])) == .answered(0))
            let plan = try await client.ask(ReuploadPlanOrder(Selection()))
            #expect(plan == .answered(SelectionResult()))
            let refused = try await client.ask(CancelJobsOrder(["fal:none"]))
            #expect(refused.answer == nil && refused.ending.isRefusal)
        }
    }

    /// What comes while an agent ends is left to the command that asks.
    @Test func anAgentThatEndsCarriesNothingOut() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let locations = try fixture.locations
            let listening = Shared<ControlServer?>(nil)
            try await fixture.run(.steering) { agent in
                let server = try ControlServer(agent, locations: locations)
                try server.start()
                listening.change { $0 = server }
            }
            let client = ControlClient(socket: locations.controlSocket, transport: fixture.client)
            await #expect(throws: AgentEnding.self) { try await client.ask(SyncOrder(paths: [])) }
            await #expect(throws: AgentEnding.self) { try await client.ask(PauseOrder()) }
            await listening.value?.stop()
        }
    }

    @Test func namesAreUnique() {
        let names = AgentRequestTable.all.map { $0.name }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.allSatisfy(\.isLetter) })
    }

    @Test(arguments: [
        ("an older program's one path for all", "/requests", #"{"pause":{}}"#, 404),
        ("a newer program's request", "/requests/FutureOrder", "{}", 404),
        ("a request whose form has changed", "/requests/SyncOrder", #"{"roots":[]}"#, 400),
        ("no JSON", "/requests/PauseOrder", "", 400),
    ])
    func whatAnotherVersionAsksIsRefusedInOneSentence(
        _ row: (why: String, path: String, body: String, status: Int)
    ) async throws {
        try await withAgent { socket, transport in
            var request = HTTPRequest(.post, "http://agent\(row.path)", body: .bytes(Array(row.body.utf8)))
            request.unixSocket = socket
            let response = try await transport.send(request)
            #expect(response.status == row.status, "\(row.why)")
            let words =
                "The running agent is gallery-sync \(Version.text) and does not know this request: "
                + "restart it, or ask it with that version."
            #expect(String(decoding: response.body, as: UTF8.self) == words, "\(row.why)")
        }
    }
}
