import Foundation
import Platform
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

/// Renames a folder again and again, and kills the agent at random moments.
@Suite struct RenameKillTests {
    private static let files = 40

    @Test func everyObjectHasAReceiptAndEveryNameItsContent() async throws {
        try await ProgramFixture.remote { fixture, server in
            var random = SeededGenerator(seed: 5)
            var folder: FilePath = "trip"
            try Directory.create(at: fixture.gallery.appending(folder))
            for number in 0..<Self.files {
                try write("first \(number)", number, in: fixture.gallery.appending(folder))
            }
            let sync = ["sync", fixture.gallery.display]
            #expect(try await fixture.run(sync).code == 0)
            for round in 0..<(8 * Built.scale) {
                let next = (["trip", "X", "Y"] as [FilePath]).filter { $0 != folder }.randomElement(using: &random)
                let target = try #require(next)
                try Directory(fixture.gallery).rename(folder, to: target)
                folder = target
                for number in 0..<Self.files where number % 13 == round % 13 {
                    try write("round \(round) \(number)", number, in: fixture.gallery.appending(folder))
                }
                let process = try fixture.start(sync)
                // Only the moment of the kill is random here.
                try await Task.sleep(for: .milliseconds(Int.random(in: 50...900, using: &random)))
                process.signal(.kill)
                _ = try await process.end()
            }
            _ = try await fixture.run(["reupload", "--changed", "--yes"])
            #expect(try await fixture.run(sync).code == 0)
            try await check(fixture, server)
            #expect(try await fixture.run("prune", "--delete", "--yes").code == 0)
            #expect(try await fixture.restored() == FileTree(at: fixture.gallery))
            #expect(try await keys(server).count == Self.files)
        }
    }

    private func write(_ text: String, _ number: Int, in folder: FilePath) throws {
        let bytes = Array(text.utf8) + [UInt8](repeating: 1, count: 20_000)
        try OpenFile(creating: folder.appending("IMG \(number).jpg")).append(bytes)
    }

    /// The bucket and the receipts match in both directions; `prune` lists objects without a file.
    private func check(_ fixture: ProgramFixture, _ server: StorageServer) async throws {
        let held = try await keys(server)
        let lines = try await fixture.run("verify", "--json").results.split(separator: "\n")
        let verified = try JSONDecoder().decode(Finish.self, from: Data((lines.last ?? "").utf8)).result
        #expect(verified.findings?.isEmpty == true, "\(verified)")
        let pruned = try await document("prune", "--json", of: fixture)
        let listed = Set(((pruned.objects ?? []) + (pruned.kept ?? [])).map(\.key))
        #expect(listed.isSubset(of: held))
        let restored = files(of: try await fixture.restored())
        let local = files(of: try FileTree(at: fixture.gallery))
        for (path, bytes) in local { #expect(restored[path] == bytes, "\(path)") }
        let foreign = restored.keys.filter { local[$0] == nil && !listed.contains("Pictures/\($0)") }
        #expect(foreign.isEmpty)
    }

    private func files(of tree: FileTree, below folder: String = "") -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for (name, node) in tree.nodes {
            switch node {
            case .file(let bytes): found[folder + name.display] = bytes
            case .directory(let inner):
                found.merge(files(of: inner, below: folder + name.display + "/")) { $1 }
            case .symlink: break
            }
        }
        return found
    }

    private struct Document: Decodable {
        struct Entry: Decodable {
            let key: String
            let problem: String?
        }
        let findings: [Entry]?
        let objects: [Entry]?
        let kept: [Entry]?
    }

    /// The last line of a command that tells events.
    private struct Finish: Decodable {
        let result: Document
    }

    private func document(_ words: String..., of fixture: ProgramFixture) async throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(try await fixture.run(words).results.utf8))
    }

    private func keys(_ server: StorageServer) async throws -> Set<String> {
        let client = HTTPClient()
        defer { client.close() }
        let storage = StorageClient(
            endpoint: StorageEndpoint(base: "http://127.0.0.1:\(server.port ?? 0)"),
            credentials: StorageCredentials(key: server.serviceKey), transport: client)
        return Set(try await storage.list(bucket: "media").objects.map(\.key))
    }
}
