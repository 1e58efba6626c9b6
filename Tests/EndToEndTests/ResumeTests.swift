import Foundation
import Platform
import TestSupport
import Testing

/// Large files through kills at random moments.
@Suite struct ResumeTests {
    @Test func aLargeUploadGoesOnAfterEveryKill() async throws {
        let size = 48_000_000
        let content = Randomness.bytes(size)
        try await ProgramFixture.remote(["large.mp4": .file(content)]) { fixture, _ in
            var random = SeededGenerator(seed: 4)
            let sync = ["sync", fixture.gallery.display, "--limit-rate", "20M"]
            let kills = 5 * Built.scale
            for _ in 0..<kills {
                let process = try fixture.start(sync)
                // Only the moment of the kill is random here.
                try await Task.sleep(for: .milliseconds(Int.random(in: 100...700, using: &random)))
                process.signal(.kill)
                _ = try await process.end()
            }
            let end = try await fixture.run(sync)
            #expect(end.code == 0, "\(end.notes)")
            let pieces = try Requests(of: fixture.folder.appending("server")).lines.filter { $0.method == "PATCH" }
            let received = pieces.reduce(0) { $0 + Int($1.bytesIn) }
            // A chunk of 6 MiB for each kill is what the resumable protocol allows to lose.
            #expect(received <= size + kills * 6 * 1024 * 1024)
            #expect(try await fixture.restored() == FileTree(at: fixture.gallery))
        }
    }
}
