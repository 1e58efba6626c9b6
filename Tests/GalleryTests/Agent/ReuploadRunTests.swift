import Catalog
import Configuration
import Platform
import Queue
import Reconciling
import Records
import Reporting
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Gallery

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

    @Test func filesOfADiskThatIsAwayAreSentOnceItIsBack() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            let folder = try Directory(fixture.folder)
            try folder.rename("Pictures", to: "away")
            var everything = Selection()
            (everything.which, everything.isForced) = (.all, true)
            let (result, ending) = try await fixture.run { [everything] in try await $0.reupload(everything) }
            #expect(result.files == 1)
            if case .absent = ending {} else { Issue.record("it ended with \(ending)") }
            try folder.rename("away", to: "Pictures")
            #expect(try await fixture.requests { try await fixture.pass() }.uploads == ["/object/media/Pictures/a.jpg"])
        }
    }

    private static var missing: Selection {
        var selection = Selection()
        selection.which = .missing
        return selection
    }

    /// Runs `body` with an agent that has stored the gallery and watches it.
    private func watching(
        _ fixture: AgentFixture, over line: SteppedTransport, _ body: @escaping @Sendable (Agent) async throws -> Void
    ) async throws {
        var stepped = fixture
        stepped.equip = { $0.transport = line }
        try await stepped.run(.watch) { agent in
            _ = try await agent.sync([fixture.gallery])
            try await body(agent)
        }
    }

    @Test func whatIsStoredWhileTheBucketIsListedIsNotMissing() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let line = SteppedTransport(server: fixture.client)
            let asked = try await fixture.requests {
                try await watching(fixture, over: line) { agent in
                    let isListed = Shared(false)
                    line.after.change {
                        $0 = { request in
                            guard request.url.contains("/object/list"), !isListed.value else { return }
                            isListed.change { $0 = true }
                            try fixture.write("two", to: "b.jpg")
                            _ = try await agent.report("the new file is stored") { $0.assets.stored == 2 }
                        }
                    }
                    let result = try await agent.beginReupload(Self.missing)
                    #expect(isListed.value)
                    #expect(result == SelectionResult())
                }
            }
            #expect(asked.uploads.count == 2)
        }
    }

    /// The server has moved the object before the bucket is listed, and the agent hears of it once it has asked.
    ///
    /// It may have asked for the object once before, when it was not moved yet.
    @Test(arguments: [false, true])
    func whatIsMovedWhileTheBucketIsListedIsNotMissing(isLate: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let line = SteppedTransport(server: fixture.client)
            let asked = try await fixture.requests {
                try await watching(fixture, over: line) { agent in
                    let (result, isMoved) = try await line.movingObject(in: fixture.gallery) {
                        $0.url.contains("/object/list")
                    } whenMoved: {
                        let moves = try await agent.library.expectedMoves(
                            from: ObjectKey(text: "Pictures/a.jpg"), destination: agent.setup.destination.name)
                        #expect(moves.count == 1)
                        for move in moves where isLate { try await agent.library.settle(move, at: move.notedAt) }
                    } _: {
                        try await agent.beginReupload(Self.missing)
                    }
                    #expect(isMoved && result == SelectionResult())
                    _ = try await agent.report("the object has its new name") { $0.queue.completed >= 2 }
                }
            }
            #expect(asked.uploads.count == 1)
            #expect(try await fixture.verifiedKeys() == ["Pictures/b.jpg"])
        }
    }

    /// The listing is older than the second content, and the answer for the object newer than the receipt of that.
    @Test func whatIsStoredAgainWhileItIsAskedForIsNotDifferent() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let line = SteppedTransport(server: fixture.client)
            try await watching(fixture, over: line) { agent in
                @Sendable func store(_ text: String) async throws {
                    try fixture.write(text, to: "a.jpg")
                    let key = ObjectKey(text: "Pictures/a.jpg")
                    try await eventually("\(text) is stored") {
                        let receipt = try await agent.library.receipt(
                            destination: agent.setup.destination.name, key: key)
                        guard await !agent.reconciling.isUnderWay(key) else { return false }
                        return receipt?.sha256 == SHA256.hash(text.utf8).hexadecimal
                    }
                }
                let (isListing, isListed, isAsked) = (Shared(false), Shared(false), Shared(false))
                line.after.change {
                    $0 = { request in
                        guard request.url.contains("/object/list"), !isListing.value else { return }
                        isListing.change { $0 = true }
                        try await store("second")
                        isListed.change { $0 = true }
                    }
                }
                line.before.change {
                    $0 = { request in
                        guard isListed.value, !isAsked.value, request.url.contains("/info/") else { return }
                        isAsked.change { $0 = true }
                        try await store("the third")
                    }
                }
                let result = try await agent.verify(VerifyOrder()).result
                #expect(isAsked.value && result.findings.isEmpty, "\(result)")
            }
        }
    }

    /// The server moves the object before a deep verification downloads it.
    @Test func whatIsMovedBeforeItIsDownloadedIsNotDifferent() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let line = SteppedTransport(server: fixture.client)
            try await watching(fixture, over: line) { agent in
                var order = VerifyOrder()
                order.percent = 100
                let (result, isMoved) = try await line.movingObject(in: fixture.gallery) {
                    $0.method == .get && $0.url.hasSuffix("/Pictures/a.jpg") && !$0.url.contains("/info/")
                } _: { [order] in
                    try await agent.verify(order).result
                }
                #expect(isMoved && result.sampled == 1 && result.findings.isEmpty, "\(result)")
                _ = try await agent.report("the object has its new name") { $0.queue.completed >= 2 }
            }
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
