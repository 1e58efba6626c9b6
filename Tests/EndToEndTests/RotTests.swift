import Foundation
import Platform
import Reporting
import TestSupport
import Testing

/// Bits that flip on the server's disk.
@Suite struct RotTests {
    /// The server copies the damaged object; the copy's eTag differs, and the local file is sent.
    @Test func aDuplicateOfARottenObjectIsSentFromHere() async throws {
        try await ProgramFixture.served(["a.jpg": "the same picture"]) { fixture, server in
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            try Self.flipOneBit(below: server.data.appending("objects"))
            try FileTree(["b.jpg": "the same picture"]).write(to: fixture.gallery)
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            #expect(try server.requests.lines.contains { $0.path.hasSuffix("/object/copy") && $0.status == 200 })
            #expect(try await fixture.status().assets.stored == 2)
            #expect(try await fixture.restored().nodes["b.jpg"] == .file(Array("the same picture".utf8)))
        }
    }

    private static func flipOneBit(below objects: FilePath) throws {
        let folder = try Directory(objects)
        for part in try folder.names() where try folder.facts(of: part).kind == .directory {
            let directory = try folder.open(directory: part)
            for name in try directory.names() {
                let blob = try directory.open(writing: name)
                try blob.write(blob.read(at: 0, upTo: 1).map { $0 ^ 1 }, at: 0)
            }
        }
    }
}
