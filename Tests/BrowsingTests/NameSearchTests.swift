import Catalog
import Fixtures
import Platform
import Queue
import TestSupport
import Testing

@testable import Browsing

/// A text that is looked for in names, as SQLite finds it and as it is found by hand.
@Suite struct NameSearchTests {
    private static let names = [
        "a.jpg", "A_B.jpg", "a%b.jpg", "a\\b.jpg", "a\\%b.jpg", "it's.jpg", "\"x\".jpg", "\\.jpg", "100 %.jpg",
        "ab\u{301}.jpg", "%.jpg", "__.jpg", "[a-z].jpg", "a*b?.jpg", "a;b--.jpg",
    ]

    private static let texts = [
        "a", "A", "b", "%", "_", "\\", "\\\\", "\\%", "\\_", "'", "\"", "%%", "a%b", "A_B", "a\\b", "[a-z]", "*", "?",
        ";", "--",
        ".jpg", ".JPG", "jpg ", " ", "a b", "\u{301}", "100 %",
    ]

    /// No sign of a text is more than itself: names have it, or have it in the other case of ASCII.
    @Test func aTextIsFoundWhereItStands() async throws {
        let assets = Self.names.map { MadeAsset(FilePath($0), takenAt: 1_781_956_800) }
        try await Timeline.of(assets) { _, timeline in
            for text in Self.texts {
                var filter = TimelineFilter()
                filter.text = text
                let found = try await timeline.assets(filter, from: 0, count: 100).map { $0.place.name }
                let expected = Self.names.map { Array($0.utf8) }.filter {
                    Self.holds(Self.lower(Array(text.utf8)), in: Self.lower($0))
                }
                #expect(Set(found) == Set(expected), "\(text)")
            }
        }
    }

    private static func lower(_ bytes: [UInt8]) -> [UInt8] { bytes.map { (65...90).contains($0) ? $0 + 32 : $0 } }

    private static func holds(_ part: [UInt8], in whole: [UInt8]) -> Bool {
        whole.indices.contains { whole[$0...].starts(with: part) }
    }

    /// A name that is no text is found by those of its parts that are.
    @Test func aNameThatIsNoTextIsFoundByItsParts() async throws {
        let name: [UInt8] = [0x61, 0xFF, 0x62] + Array(".jpg".utf8)
        try await Timeline.of([MadeAsset(FilePath(bytes: name), takenAt: 1_781_956_800)]) { _, timeline in
            for (text, isFound) in [("b.jpg", true), ("a", true), ("ab", false), ("c", false)] {
                var filter = TimelineFilter()
                filter.text = text
                let count = try await timeline.assets(filter, from: 0, count: 9).count
                #expect((count == 1) == isFound, "\(text)")
            }
        }
    }
}
