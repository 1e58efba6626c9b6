import Platform
import Reporting
import Serving
import StorageServer
import TestSupport
import Testing

/// Faults at the server, on the connection, and on the disks.
@Suite struct FaultTests {
    struct Trouble: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// How many requests fail.
        let count: Int
        let fault: Fault
        var route = "/object/media/"
    }

    private static let tree: FileTree = [
        "a.jpg": "one", "b.jpg": "two", "c.jpg": "three", "big.mp4": .file([UInt8](repeating: 7, count: 400_000)),
    ]

    @Test(arguments: [
        Trouble(testDescription: "503 bursts", count: 12, fault: .unavailable(retryAfter: 0)),
        Trouble(testDescription: "resets in the middle of a body", count: 6, fault: .drop(afterReading: 100)),
        Trouble(testDescription: "stored, but the answer is lost", count: 6, fault: .cutAnswer(after: 0)),
        Trouble(testDescription: "half an answer", count: 6, fault: .cutAnswer(after: 10)),
        Trouble(
            testDescription: "a wrong size in the answer", count: 1, fault: .misreportSize(by: 5),
            route: "/object/list-v2/media"),
    ])
    func isGotOverAndNothingIsCompletedThatIsNotThere(_ trouble: Trouble) async throws {
        let left = Shared(trouble.count)
        let faults: @Sendable (Request) -> Fault? = { request in
            guard request.method == "POST", request.path.contains(trouble.route) else { return nil }
            return left.change { left in
                left -= 1
                return left >= 0 ? trouble.fault : nil
            }
        }
        try await ProgramFixture.remote(Self.tree, faults: faults) { fixture, _ in
            let end = try await fixture.run("sync", fixture.gallery.display)
            #expect(end.code == 0, "\(end.results) \(end.notes)")
            #expect(left.value < 0, "\(end.notes)")
            #expect(try await fixture.restored() == Self.tree)
        }
    }

    @Test func aSizeThatStaysWrongIsNeverCompleted() async throws {
        let faults: @Sendable (Request) -> Fault? = { request in
            request.path.contains("/object/list-v2/") || request.path.contains("/object/info/")
                ? .misreportSize(by: 5) : nil
        }
        try await ProgramFixture.remote(["a.jpg": "one"], faults: faults) { fixture, _ in
            let end = try await fixture.run("sync", fixture.gallery.display, "--set", "retry.attempts=2")
            #expect(end.code == 3)
            let report = try await fixture.status()
            #expect(report.assets == Report.Assets(failed: 1))
            #expect(report.failures.map(\.code) == ["verify.size"])
        }
    }

    @Test func aServerThatIsNotThereIsTemporary() async throws {
        try await ProgramFixture.remote(["a.jpg": "one"]) { fixture, server in
            await server.stop()
            let end = try await fixture.hasty("1s").run("sync", fixture.gallery.display)
            #expect(end.code == 5)
            #expect(try await fixture.status().assets == Report.Assets(waiting: 1))
        }
    }

    @Test(.enabled(if: Namespaces.canMount, "unshare -Urm is not permitted here"))
    func aFullDiskOfTheAgentStopsItAndLosesNothing() async throws {
        let names = (0..<250).map { "a photo with quite a long name, so that its item fills the disk \($0).jpg" }
        let tree = FileTree(Dictionary(uniqueKeysWithValues: names.map { (FilePath($0), .file(Array($0.utf8))) }))
        try await ProgramFixture.remote(tree) { fixture, _ in
            try Directory.create(at: fixture.state)
            let script = """
                mount -t tmpfs -o size=512k none '\(fixture.state.display)'
                "$AGENT" sync '\(fixture.gallery.display)' $COMMON >&2; echo "full $?"
                "$AGENT" status --check -q $COMMON; echo "check $?"
                "$AGENT" doctor $COMMON >&2; echo "doctor $?"
                mount -o remount,size=64m '\(fixture.state.display)'
                "$AGENT" sync '\(fixture.gallery.display)' $COMMON >&2; echo "free $?"
                "$AGENT" status $COMMON
                """
            let end = try await fixture.unshared(script, mounts: true).end()
            #expect(end.results.hasPrefix("full 74\ncheck 74\ndoctor 74\nfree 0\n"), "\(end.results) \(end.notes)")
            #expect(end.results.contains("All 250 files are stored."))
            // The queue's journal says the first, the library's database the second: either may fill the disk.
            let causes = ["No space left on device", "The disk that holds the state is full"]
            #expect(causes.contains { end.notes.contains($0) }, "\(end.notes)")
            #expect(try await fixture.restored() == tree)
        }
    }

    @Test(.enabled(if: Namespaces.canMount, "unshare -Urm is not permitted here"))
    func aFullDiskOfTheServerIsAFullDestination() async throws {
        let names = (0..<20).map { "photo-\($0).jpg" }
        let bytes = [UInt8](repeating: 9, count: 60_000)
        let tree = FileTree(
            Dictionary(uniqueKeysWithValues: names.map { (FilePath($0), .file(Array($0.utf8) + bytes)) }))
        try await ProgramFixture.local(tree) { fixture in
            let data = fixture.folder.appending("data")
            try Directory.create(at: data)
            var common = fixture
            common.common = []
            let server = try common.unshared(
                "mount -t tmpfs -o size=1m none '\(data.display)' && exec \"$AGENT\" serve --json --data '\(data.display)/d'",
                mounts: true)
            try await eventually("it serves") { try server.results.contains("serviceKeyFile") }
            let key = try OpenFile(reading: FilePath("/proc/\(server.id)/root\(data.display)/d/service.key")).readAll()
            let port = try #require(try server.results.split(separator: "127.0.0.1:").last?.prefix { $0.isNumber })
            var client = fixture
            client.common = [
                "--state-dir", fixture.state.display, "--set", "destination.url=http://127.0.0.1:\(port)",
            ]
            client.common += ProgramFixture.quick
            client = client.hasty("1s")
            client.environment["GALLERY_SYNC_KEY"] = String(decoding: key.filter { $0 > 0x20 }, as: UTF8.self)
            let end = try await client.run("sync", fixture.gallery.display)
            #expect(end.code == 7, "\(end.notes)")
            let assets = try await client.status().assets
            let restored = try await client.restored()
            server.signal(.terminate)
            _ = try await server.end()
            #expect(assets.stored > 0)
            #expect(assets.waiting > 0)
            #expect(restored.nodes.count >= assets.stored)
            for (name, node) in restored.nodes { #expect(tree.nodes[name] == node) }
        }
    }
}
