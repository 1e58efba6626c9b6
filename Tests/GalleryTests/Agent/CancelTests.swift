import Configuration
import Gallery
import Platform
import Reporting
import TestSupport
import Testing

/// Files that the user leaves out with `queue cancel`.
@Suite struct CancelTests {
    @Test(arguments: [
        ("a file of a root that was never looked at", false, "a.jpg", 1),
        ("a new file of a known root", true, "a.jpg", 1), ("a directory of such files", true, "2026", 2),
        ("a file that is not there", true, "none.jpg", 0),
    ])
    func whatNoScanHasSeenIsLeftOut(_ fact: String, isKnown: Bool, path: String, count: Int) async throws {
        try await AgentFixture.with(["keep.jpg": "kept"]) { fixture in
            var fixture = fixture
            fixture.settings.roots = [Settings.Root(path: fixture.gallery)]
            if isKnown { try await fixture.pass() }
            try fixture.write("one", to: "a.jpg")
            try Directory.create(at: fixture.gallery.appending("2026"))
            for name in ["b", "c"] { try fixture.write(name, to: FilePath("2026/\(name).jpg")) }
            let wanted = fixture.gallery.appending(FilePath(path))
            #expect(try await fixture.run(.steering) { try await $0.cancel([wanted]) } == count, "\(fact)")
            try await fixture.pass()
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.excluded == count)
            #expect(try await fixture.objects().count == 4 - count)
            #expect(try await !fixture.objects().keys.contains { $0.hasPrefix("Pictures/\(path)") })
        }
    }
}
