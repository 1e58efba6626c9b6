import Catalog
import Foundation
import Platform
import Roots
import TestSupport
import Testing

@testable import Reporting

/// A pause that was ordered for a time, in the answer of `why`.
@Suite struct WhyPauseTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    struct Pause: Sendable {
        /// Seconds from now.
        let end: Double?

        init(_ end: Double?) { self.end = end }
    }

    @Test(
        arguments: [
            Fact("none", nil, false), Fact("until told otherwise", Pause(nil), true),
            Fact("for another second", Pause(1), true), Fact("over this very moment", Pause(0), false),
            Fact("over a second ago", Pause(-1), false), Fact("over for long", Pause(-86_400), false),
        ] as [Fact<Pause?, Bool>])
    func aPauseIsSaidAsLongAsItHolds(_ row: Fact<Pause?, Bool>) async throws {
        try await FileTree(["Pictures": ["a.jpg": "a"]]).withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            if let pause = row.input {
                try await library.pause(until: pause.end.map { Self.now + $0 }, at: Self.now - 100_000)
            }
            let root = Root(known: KnownRoot(new: folder.appending("Pictures"), name: nil, beside: []))
            let why = try await Explanation(
                of: folder.appending("Pictures/a.jpg"), root: (root, "a.jpg"), library: library, items: [], at: Self.now
            )
            #expect(why.decisions.contains(Explanation.paused) == row.output, "\(why.decisions)")
            #expect(why.decisions.contains { $0.hasPrefix("No scan has seen it yet") })
            try await library.close()
        }
    }
}
