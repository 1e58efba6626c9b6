import Fixtures
import Foundation
import Testing

@testable import Rescue

@Suite struct RowLinkTests {
    private static let hour = 3_600.0
    private static let day = 86_400.0

    /// After how long a link is renewed, by how long it works.
    @Test(arguments: [
        ("ten minutes: at half", 600, 300), ("a day: at half", day, 12 * hour),
        ("a little more: a day left would be at once", 25 * hour, 12.5 * hour),
        ("36 hours: a day left is sooner", 36 * hour, 12 * hour), ("two days: both at once", 2 * day, day),
        ("a week: half is sooner", 7 * day, 3.5 * day),
    ])
    func aLinkIsRenewedLongBeforeItEnds(_ row: (why: String, length: Double, renewal: Double)) {
        let term = RowLink.Term(from: Jobs.now, seconds: row.length)
        #expect(term.renewal == Jobs.now + row.renewal, "\(row.why)")
        let link = RowLink(url: "u", thumbnail: nil, term: term)
        #expect(!link.isDue(at: term.renewal - 1) && link.isDue(at: term.renewal), "\(row.why)")
        #expect(!link.isDue(at: Jobs.now - 60) && link.isDue(at: Jobs.now - Self.day), "\(row.why), the clock set back")
    }

    @Test func aLinkThatDoesNotEndIsNeverDueAndNotKept() {
        let link = RowLink(url: "u", thumbnail: nil)
        #expect(!link.isDue(at: .distantFuture) && link.written == nil)
    }

    @Test func whatTheRowMayHoldIsRememberedUntilItIsKnown() throws {
        let row = try #require(Jobs.row("https://cdn/a.mp4").row)
        let links = (1...7).map {
            RowLink(url: "\($0)", thumbnail: nil, term: RowLink.Term(from: Jobs.now, seconds: 600))
        }
        var link = links[0].following(nil, in: row)
        #expect(link.held == ["https://cdn/a.mp4"])
        link = links[1].following(link.written, in: row)
        #expect(link.held == ["1"], "the first was written")
        for next in links[2...] { link = next.following(link, in: row) }
        #expect(link.held == ["1", "4", "5", "6"], "what was seen there, and the latest that may have arrived")
    }

    @Test func aJobWhoseRowHoldsSuchALinkIsNotForgotten() {
        let stored = Jobs.file(Jobs.row()) {
            $0.stage = .stored
            $0.row = .written
        }
        #expect(stored.mayBeForgotten)
        let kept = Jobs.file(stored) {
            $0.rowLink = RowLink(url: "u", thumbnail: nil, term: RowLink.Term(from: Jobs.now, seconds: 600))
        }
        #expect(!kept.mayBeForgotten && kept.isSettled)
        #expect(kept.redacted.files[0].rowLink == nil, "it is a secret")
    }
}
