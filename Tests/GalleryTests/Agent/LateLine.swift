import Catalog
import Configuration
import Gallery
import Platform
import Records
import TestSupport
import Testing
import Transfer

/// Gives up the first request that is chosen, which still arrives later.
struct LateLine: Transport {
    let server: any Transport
    let isHeld: @Sendable (HTTPRequest) -> Bool
    /// What happens while the request is held.
    var meanwhile: @Sendable () throws -> Void = {}
    /// A request after whose answer the held one arrives by itself.
    var arrivesAfter: @Sendable (HTTPRequest) -> Bool = { _ in false }
    private let held = Shared<HTTPRequest?>(nil)

    init(_ server: any Transport, holding isHeld: @escaping @Sendable (HTTPRequest) -> Bool) {
        (self.server, self.isHeld) = (server, isHeld)
    }

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        guard held.value == nil, isHeld(request) else {
            let answer = try await server.send(request)
            if arrivesAfter(request), let late = held.value { _ = try await server.send(late) }
            return answer
        }
        do {
            var late = request
            // The file may hold other bytes by then.
            if case .file(let file, _, let length, _) = request.body {
                late.body = .bytes(try file.read(at: 0, upTo: Int(length)))
            }
            held.change { [late] in $0 = late }
            try meanwhile()
        } catch {
            throw TransferError(.unsendable, "\(error)", mayHaveArrived: false)
        }
        throw TransferError(.timedOut, "no answer in time", mayHaveArrived: true)
    }

    /// Whether a request was held.
    var hasHeld: Bool { held.value != nil }

    /// Sends the held request on; fails where none was held.
    func arrive() async throws { _ = try await server.send(#require(held.value)) }
}

extension AgentFixture {
    /// The same fixture over `line`.
    func over(_ line: LateLine) -> AgentFixture {
        var slow = self
        slow.equip = { $0.transport = line }
        return slow
    }

    /// Expects that `held` arrives and takes the object at `key` away, and that the next pass stores it again.
    func expectStoredAgain(
        _ key: String, after held: LateLine, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await objects()[key]
        #expect(before != nil, sourceLocation: sourceLocation)
        try await held.arrive()
        #expect(try await objects()[key] == nil, sourceLocation: sourceLocation)
        try await pass(sourceLocation: sourceLocation)
        #expect(try await objects()[key] == before, sourceLocation: sourceLocation)
    }

    /// Expects that an hour later no request is thought to be under way.
    func expectNothingLate(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<2 { try await later.pass(sourceLocation: sourceLocation) }
        #expect(try await attempts() == 0, sourceLocation: sourceLocation)
        let deletions = try await run(.steering) { try await $0.library.deletions(destination: destination.name) }
        #expect(deletions.isEmpty, sourceLocation: sourceLocation)
    }

    /// Attempts that the library knows of.
    func attempts() async throws -> Int {
        try await run(.steering) {
            try await $0.library.attempts(destination: destination.name, after: "", count: 100).count
        }
    }
}
