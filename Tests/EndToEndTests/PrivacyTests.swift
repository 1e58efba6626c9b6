import Foundation
import Platform
import Reporting
import TestSupport
import Testing

/// Other users of this computer can read nothing of a gallery's state, whatever the umask is.
@Suite struct PrivacyTests {
    @Test func everyFileOfTheStateIsItsOwnersAlone() async throws {
        try await ProgramFixture.remote(["a.jpg": "one"]) { fixture, _ in
            let script = "umask 0; $AGENT sync \(fixture.gallery.display) $COMMON"
            let first = try await fixture.shell(script).end()
            #expect(first.exit == .exited(0))
            try Self.expectPrivate(fixture.state)
            // As an earlier version created it.
            let state = fixture.state.appending("state/default")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o666], ofItemAtPath: state.appending("library.sqlite").display)
            #expect(try await fixture.shell(script).end().exit == .exited(0))
            try Self.expectPrivate(fixture.state)
        }
    }

    @Test func theFilesBesideALibraryInUseArePrivate() async throws {
        try await ProgramFixture.remote(["a.jpg": "one"]) { fixture, _ in
            let watch = try fixture.shell("umask 0; exec $AGENT watch \(fixture.gallery.display) $COMMON")
            try await eventually("the watch stores a file") { try await fixture.status().assets.stored == 1 }
            try Self.expectPrivate(fixture.state)
            let files = try FileManager.default.subpathsOfDirectory(atPath: fixture.state.display)
            #expect(files.contains { $0.hasSuffix("library.sqlite-wal") })
            watch.signal(.terminate)
            _ = try await watch.end()
        }
    }

    private static func expectPrivate(_ folder: FilePath) throws {
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.display) {
            let facts = try FileFacts(of: FilePath(folder.display + "/" + file), followingLinks: false)
            #expect(facts.mode & 0o077 == 0, "\(file) has mode \(String(facts.mode, radix: 8))")
        }
    }
}
