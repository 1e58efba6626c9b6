import TestSupport
import Testing

@testable import Supabase
@testable import Sync

/// A listing ends, however the server that makes it is broken.
@Suite struct ListingProgressTests {
    struct Page: Sendable {
        let keys: [String]
        let next: String?

        init(_ keys: [String], _ next: String?) { (self.keys, self.next) = (keys, next) }

        var page: ObjectPage {
            ObjectPage(objects: keys.map { ListedObject(key: $0, size: 1) }, folders: [], nextCursor: next)
        }
    }

    /// Pages in turn, and how many of them are taken before the listing counts as broken; `nil` where it does not.
    @Test(
        arguments: [
            Fact("one page", [Page(["a"], nil)], nil), Fact("an empty bucket", [Page([], nil)], nil),
            Fact("pages that advance", [Page(["a", "b"], "1"), Page(["c"], "2"), Page(["d"], nil)], nil),
            Fact("by bytes, not by letters", [Page(["Z"], "1"), Page(["a"], "2"), Page(["ä"], nil)], nil),
            Fact("the same page for ever", [Page(["a"], "1"), Page(["a"], "2")], 1),
            Fact("the same cursor for ever", [Page(["a"], "1"), Page(["b"], "1")], 1),
            Fact("two cursors in turn", [Page(["a"], "1"), Page(["b"], "2"), Page(["c"], "1")], 2),
            Fact("back to the beginning", [Page(["a"], "1"), Page(["c"], "2"), Page(["b"], "3")], 2),
            Fact("a last page that goes back", [Page(["b"], "1"), Page(["a"], nil)], 1),
            Fact("an empty page that names another", [Page(["a"], "1"), Page([], "2")], 1),
            Fact("an empty page at the end", [Page(["a"], "1"), Page([], nil)], nil),
            Fact("an empty page at the beginning", [Page([], "1")], 0),
        ] as [Fact<[Page], Int?>])
    func aListingAdvancesOrIsBroken(_ fact: Fact<[Page], Int?>) {
        var progress = ListingProgress()
        var taken = 0
        do {
            for page in fact.input {
                #expect(try progress.next(after: page.page) == page.next)
                taken += 1
            }
            #expect(fact.output == nil)
        } catch {
            #expect(taken == fact.output)
        }
    }
}
