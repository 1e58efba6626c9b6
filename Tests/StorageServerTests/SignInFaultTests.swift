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

    /// A kill or a full disk may cut the last line short: the next one is whole all the same.
    @Test(arguments: [("", 1), ("{\"at\":\n", 2), ("{\"at\":", 2)])
    func aLineThatWasCutShortStaysAlone(before: String, lines: Int) async throws {
        let site = try Site()
        let outbox = site.folder.appending("outbox.jsonl")
        try OpenFile(creating: outbox).append(Array(before.utf8))
        #expect(try await ask(site) == 200)
        let text = String(decoding: try OpenFile(reading: outbox).readAll(), as: UTF8.self)
        let written = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(written.count == lines + 1 && written.last == "")
        #expect(written[lines - 1].hasPrefix("{\"at\":\"2") && written[lines - 1].hasSuffix("}"))
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
