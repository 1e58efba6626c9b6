import Cleansing
import Output
import Platform
import TestSupport
import Testing

@testable import GallerySync

/// File names with terminal control sequences, as every command shows them.
@Suite struct HostileNameTests {
    private static let name = "a\u{1B}[2J\u{9B}31m\u{202E}\u{61C}\u{E0041}\u{7}.jpg"
    private static let options = "--local --state-dir state --set thumbnails.enabled=false --set scan.settle=0s"

    @Test(arguments: [
        "status", "status --json", "queue list --json", "why Pictures/\(name)", "why --json Pictures/\(name)",
        "sync --dry-run Other", "sync --dry-run --json Other", "reupload --all --dry-run",
        "reupload --all --dry-run --json", "restore --to back --dry-run", "restore --to back --json",
        "restore --to taken", "verify", "prune", "prune --json", "sync None\(name)",
    ])
    func nothingSteersTheTerminal(command: String) async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        for place in ["Pictures", "Other"] {
            try fixture.write(place, to: fixture.home.appending(place).appending(Self.name))
        }
        // A different file that exists already is refused, which names it.
        try fixture.write("another", to: fixture.home.appending("taken/Pictures").appending(Self.name))
        #expect(await fixture.run("sync Pictures \(Self.options)") == .success)
        _ = await fixture.run("\(command) \(Self.options)")
        let text = try fixture.results + fixture.notes
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.steersText }, "\(text.debugDescription)")
    }
}
