import Fixtures
import Foundation
import Providers
import Testing

@testable import Rescue

/// Which jobs bring the files of links.
@Suite struct JobLinksTests {
    /// A job of fal with two files, `a` and `b`.
    private static let made = Jobs.with(Jobs.generation()) { $0.files = Jobs.link("a").files + Jobs.link("b").files }

    private static func links(_ names: String...) -> [RescueLink] {
        names.map { RescueLink("https://cdn.example/\($0).mp4?sig=fresh") }
    }

    private static func offers(_ names: [RescueLink], _ known: [Job]) -> [Job] {
        Job.bringing(names, known: known, at: Jobs.now)
    }

    @Test func aFileOfAKnownJobIsThatJobsWithAFreshLink() {
        let offers = Self.offers(Self.links("c", "b", "a"), [Self.made])
        #expect(offers.map(\.id) == [Jobs.link("c").id, Self.made.id])
        #expect(offers.last?.files.map(\.link) == Self.links("b", "a").map(\.url))
        let requested = offers.last.map { Self.made.requested(with: $0) }
        #expect(requested?.files.map(\.link) == Self.links("a", "b").map(\.url))
    }

    @Test(arguments: [
        ("a job that was given up", [Jobs.with(made) { $0.isCancelled = true }]),
        ("a link that is a job already", [made, Jobs.link("a")]), ("a row", [Jobs.row()]), ("none", []),
    ])
    func otherwiseALinkIsItsOwnJob(_ row: (what: String, known: [Job])) {
        #expect(Self.offers(Self.links("a"), row.known).map(\.id) == [Jobs.link("a").id], "\(row.what)")
    }
}
