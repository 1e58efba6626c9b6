import Catalog
import Foundation
import Platform
import Reporting
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

/// Brake, prune, verify and link through the commands.
@Suite struct ChangeTests {
    private static func tree(_ count: Int) -> FileTree {
        var tree = FileTree()
        for number in 0..<count { tree.nodes[FilePath("\(number).jpg")] = .file(Array("picture \(number)".utf8)) }
        return tree
    }

    private func write(_ text: String, to name: String, _ fixture: ProgramFixture) throws {
        try OpenFile(creating: fixture.gallery.appending(FilePath(name))).append(Array(text.utf8))
    }

    @Test func sixtyOfFiveHundredRewrittenFilesAreHeldUntilTheUserSaysSo() async throws {
        try await ProgramFixture.local(Self.tree(500)) { fixture in
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            let sent = try Requests(of: fixture.storage).writes().count
            for number in 0..<60 { try write("scrambled \(number)", to: "\(number).jpg", fixture) }

            let held = try await fixture.run("sync", fixture.gallery.display)
            #expect(held.code == 3)
            #expect(held.results.contains("60 of 500 stored files changed within one hour"))
            #expect(try Requests(of: fixture.storage).writes().count == sent)
            let report = try await fixture.status()
            #expect(report.assets == Report.Assets(stored: 440, waiting: 60))
            #expect(Set(report.brake?.files ?? []) == Set((0..<60).map { "Pictures/\($0).jpg" }))
            let why = try await fixture.run("why", fixture.gallery.appending("7.jpg").display)
            #expect(why.results.contains("the brake holds it"))

            #expect(try await fixture.run("reupload", "--changed", "--yes").code == 0)
            #expect(try Requests(of: fixture.storage).writes().count == sent + 60)
            #expect(try await fixture.status().assets == Report.Assets(stored: 500))
        }
    }

    @Test(arguments: [false, true])
    func pruneAndVerifyWorkBesideAWatchAndWithoutOne(_ isWatched: Bool) async throws {
        try await ProgramFixture.remote(Self.tree(4)) { fixture, server in
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            try Directory(fixture.gallery).remove(file: "0.jpg")
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            let watch = isWatched ? try await fixture.watch(storing: 3) : nil
            try await look(fixture, server)
            watch?.signal(.terminate)
            _ = try await watch?.end()
        }
    }

    private func look(_ fixture: ProgramFixture, _ server: StorageServer) async throws {
        let listed = try await fixture.run("prune", "--json")
        #expect(listed.code == 0)
        #expect(listed.results.contains("\"key\":\"Pictures/0.jpg\"") || listed.results.contains("Pictures/0.jpg"))
        let refused = try await fixture.run("prune", "--delete")
        #expect(refused.code == 2)
        #expect(try await fixture.run("prune", "--delete", "--dry-run").results.contains("Would delete 1 object"))
        #expect(try await fixture.run("prune", "--delete", "--yes").results.contains("Deleted 1 object"))
        #expect(try await fixture.run("prune").results.contains("No file is only in storage."))

        let fine = try await fixture.run("verify", "--deep", "100")
        #expect(fine.code == 0)
        #expect(fine.notes.contains("Downloads 27 B: 3 objects of 3."))
        let client = HTTPClient()
        defer { client.close() }
        let storage = StorageClient(
            endpoint: StorageEndpoint(base: "http://storage", unixSocket: server.socket),
            credentials: StorageCredentials(key: server.serviceKey), transport: client)
        try await storage.delete(bucket: "media", key: "Pictures/1.jpg")
        let found = try await fixture.run("verify", "--json")
        #expect(found.code == 3)
        #expect(found.results.contains("\"missing\""))
        #expect(try await fixture.run("verify", "--repair").code == 0)
        #expect(try await fixture.run("verify").code == 0)

        let link = try await fixture.run("link", fixture.gallery.appending("1.jpg").display, "--expires", "1h")
        #expect(link.code == 0)
        let url = link.results.trimmingCharacters(in: .whitespacesAndNewlines)
        let answer = try await client.send(HTTPRequest(.get, url, answer: .memory(limit: 1 << 20)))
        #expect(answer.body == Array("picture 1".utf8))
    }
}
