import Catalog
import Gallery
import Platform
import Reporting
import Supabase
import TestSupport
import Testing
import Transfer

/// Objects that are to be sent again.
@Suite struct ReuploadRunTests {
    @Test func aFileIsSentAgainAndItsRootStaysReadable() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            _ = try await fixture.sync()
            try FileTree(["a.jpg": "three"]).write(to: fixture.gallery)
            var selection = Selection()
            (selection.which, selection.paths) = (.all, [fixture.gallery.appending("a.jpg")])
            let chosen = selection
            let asked = try await fixture.requests {
                let report = try await fixture.run { agent in
                    #expect(try await agent.reupload(chosen).ending == .done)
                    return try await agent.report(.summary)
                }
                #expect(report.assets == Report.Assets(stored: 2))
                #expect(report.roots.map(\.paused) == [nil])
            }
            #expect(asked.uploads.count == 1)
        }
    }

    private static var missing: Selection {
        var selection = Selection()
        selection.which = .missing
        return selection
    }

    /// Does something between a listing and its answer.
    private struct SlowListing: Transport {
        let server: any Transport
        let meanwhile = Shared<(@Sendable () async throws -> Void)?>(nil)

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            let answer = try await server.send(request)
            guard request.url.contains("/object/list"), let work = meanwhile.value else { return answer }
            meanwhile.change { $0 = nil }
            do { try await work() } catch {
                throw TransferError(.unsendable, "\(error)", mayHaveArrived: false)
            }
            return answer
        }
    }

    @Test func whatIsStoredWhileTheBucketIsListedIsNotMissing() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let line = SlowListing(server: fixture.client)
            var slow = fixture
            slow.equip = { $0.transport = line }
            let asked = try await fixture.requests {
                try await slow.run(.watch) { agent in
                    _ = try await agent.sync([fixture.gallery])
                    line.meanwhile.change {
                        $0 = {
                            try fixture.write("two", to: "b.jpg")
                            _ = try await agent.report("the new file is stored") { $0.assets.stored == 2 }
                        }
                    }
                    let result = try await agent.beginReupload(Self.missing)
                    #expect(line.meanwhile.value == nil)
                    #expect(result == SelectionResult())
                }
            }
            #expect(asked.uploads.count == 2)
        }
    }

    @Test(arguments: [
        (["a.jpg"], ["a.jpg"]), (["2026"], ["2026/b.jpg"]), ([], ["2026/b.jpg", "a.jpg"]),
    ])
    func ofWhatIsMissingThatBelowThePathsIsSent(_ paths: [String], expected: [String]) async throws {
        try await AgentFixture.with(["a.jpg": "one", "c.jpg": "three"]) { fixture in
            try Directory.create(at: fixture.gallery.appending("2026"))
            try fixture.write("two", to: "2026/b.jpg")
            try await fixture.pass()
            for key in ["Pictures/a.jpg", "Pictures/2026/b.jpg"] {
                try await fixture.storage.delete(bucket: "media", key: key)
            }
            var selection = Self.missing
            selection.paths = paths.map { fixture.gallery.appending(FilePath($0)) }
            let asked = try await fixture.requests { [selection] in
                let (result, ending) = try await fixture.run { try await $0.reupload(selection) }
                #expect(ending == .done)
                #expect(result.files == expected.count && result.missingObjects == expected.count)
            }
            #expect(asked.uploads.sorted() == expected.map { "/object/media/Pictures/\($0)" })
        }
    }

    /// The file is gone, so that nothing can be sent: its receipt goes.
    @Test func ofAGoneFileTheMissingObjectIsForgotten() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            try await fixture.pass()
            try Directory(fixture.gallery).remove(file: "b.jpg")
            try await fixture.pass()
            try await fixture.storage.delete(bucket: "media", key: "Pictures/b.jpg")
            let (result, ending) = try await fixture.run { try await $0.reupload(Self.missing) }
            #expect(ending == .done)
            #expect(result.files == 0 && result.missingObjects == 1)
            #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg"])
            let report = try await fixture.run { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 0)
        }
    }
}
