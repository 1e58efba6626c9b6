import Catalog
import Configuration
import Control
import Foundation
import Platform
import Queue
import Records
import TestSupport

@testable import CommandLine

/// What listens in place of an agent, and answers each request with what the test wants.
struct AgentDouble: Sendable {
    /// What is done with each connection.
    typealias Peer = @Sendable (RawConnection) -> Void

    /// What was asked, such as `POST /requests/PauseOrder {}`; looks at the progress are left out.
    let asked = Shared<[String]>([])
    /// Bodies by the paths at which they are answered, with 200; others are 404.
    private let answers: Shared<[String: [UInt8]]> = Shared([:])

    /// Has `request` answered with `reply`.
    func answer<Asked: AgentRequest>(_ request: Asked.Type, _ reply: AgentReply<Asked.Answer>) throws {
        let body = Array(try QueueCoding.encoder.encode(reply))
        answers.change { $0["/requests/\(request)"] = body }
    }

    /// Has requests of that name answered with `reply` as it is, and with an ending.
    func answer(_ name: String, _ reply: String, _ ending: String = #"{"done":{}}"#) {
        let body = Array(#"{"answered":{"_0":\#(reply),"_1":\#(ending)}}"#.utf8)
        answers.change { $0["/requests/\(name)"] = body }
    }

    /// Serves one connection.
    func serve(_ connection: RawConnection) {
        connection.serve { head, body in
            if head.target != "/progress" {
                asked.change { $0.append("\(head.method) \(head.target) \(String(decoding: body, as: UTF8.self))") }
            }
            guard let answer = answers.value[head.target] else { return connection.answer(404, "not known") }
            connection.answer(200, String(decoding: answer, as: UTF8.self))
        }
    }

    /// Calls `body` with a home whose state this process holds, where `peer` listens; with `nil` nothing does.
    ///
    /// - Parameter kept: Holds the lock meanwhile, so that the test may let go of it.
    static func holding(
        _ peer: Peer?, _ files: KeyValuePairs<String, String> = ["Pictures/a.jpg": "one"],
        lock kept: Shared<StateLock?> = Shared(nil),
        _ body: (CommandFixture) async throws -> Void
    ) async throws {
        try await CommandFixture.with(files) { fixture async throws in
            var fixture = fixture
            fixture.environment["XDG_RUNTIME_DIR"] = fixture.home.appending("run").display
            let locations = try Locations(for: LocationRequest(environment: fixture.environment, user: Host.userID))
            switch try StateLock.acquire(locations) {
            case .taken(let lock): kept.change { $0 = lock }
            case .held: throw SystemError(call: "lock", code: 11)
            }
            defer { kept.change { $0 = nil } }
            try Directory.create(at: locations.runtime)
            let server = try peer.map { try RawServer(unix: locations.controlSocket, $0) }
            defer { server?.stop() }
            try await body(fixture)
        }
    }
}
