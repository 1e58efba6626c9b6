import ObjectStore
import Platform
import TestSupport
import Testing

@testable import StorageServer

/// A code that could not be sent is none.
@Suite struct SignInFaultTests {
    private func ask(_ site: Site) async throws -> Int {
        try await site.send("POST", "/auth/v1/otp", as: nil, ["email": "ann@example.org"]).status
    }

    @Test func whoGotNoEMailWaitsForNone() async throws {
        let site = try Site()
        let outbox = site.folder.appending("outbox.jsonl")
        // Nothing can be appended to a directory.
        try Directory.create(at: outbox)
        #expect(try await ask(site) == 500)
        #expect(try Directory(site.folder).remove(directory: "outbox.jsonl"))
        #expect(try await ask(site) == 200)
        // The pause begins with the one that was sent.
        #expect(try await ask(site) == 429)
        #expect(try OpenFile(reading: outbox).readAll().count { $0 == UInt8(ascii: "\n") } == 1)
    }
}
