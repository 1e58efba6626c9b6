import Fixtures
import Foundation
import Platform
import Queue
import Roots
import TestSupport
import Testing
import Text

@testable import Catalog
@testable import Sync

/// Files that are written to while a walk is under way.
@Suite struct RecencyTests {
    private static let start = Date(timeIntervalSince1970: 1_790_000_000)

    /// The walk begins ten seconds after the start, and takes ten seconds more for each look at the clock.
    @Test(
        arguments: [
            ("left alone long before", -10.0, 2.0, false), ("left alone for just so long", 8, 2, false),
            ("a moment less", 8.001, 2, true), ("written as the walk begins", 10, 2, true),
            ("written while the walk is under way", 15, 2, true),
            ("written as it is looked at", 20, 2, true),
            ("of a time that is still ahead: the user's own", 20.001, 2, false),
            ("of next year", 31_536_000, 2, false),
            ("no file has to be left alone", 15, 0, false), ("nor one written as it is looked at", 20, 0, false),
        ] as [(String, Double, Double, Bool)])
    func whatAWalkLeavesForLater(_ row: (why: String, written: Double, settle: Double, isFresh: Bool)) async throws {
        try await FileTree(["Pictures": ["a.jpg": "a"]]).withDirectory { folder in
            let gallery = folder.appending("Pictures")
            try Directory(gallery).open(writing: "a.jpg").setModified(FileTime(Self.start + row.written))
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = Root(known: try await library.root(at: gallery).root)
            let looks = Shared(0)
            let scanner = Scanner(library: library, wake: WakeEvent()) {
                looks.change { $0 += 1 }
                return Self.start + Double(looks.value) * 10
            }
            let unsettled = Shared<[FilePath]>([])
            let outcome = try await scanner.scan(root, origin: .backlog, settle: .seconds(row.settle)) { path in
                unsettled.change { $0.append(path) }
            }
            #expect(unsettled.value == (row.isFresh ? ["a.jpg"] : []), "\(row.why)")
            var changes = ScanChanges()
            changes.files = 1
            changes.seen = row.isFresh ? 0 : 1
            #expect(outcome == .complete(changes), "\(row.why)")
        }
    }
}
