import Fixtures
import Foundation
import Records
import TestSupport
import Testing

@testable import Catalog
@testable import Queue
@testable import Sync
@testable import Uploading

@Suite struct ObjectFindingTests {
    private static func receipt(eTag: String? = "\"aa\"", objectID: String? = "id") -> Receipt {
        Receipt(
            destination: "d", key: ObjectKey(text: "k"), role: .original, item: ItemIdentifier(text: "i"), sha256: "00",
            size: 10, objectID: objectID, version: "v", eTag: eTag, updatedAt: nil, verifiedAt: Items.now)
    }

    private static func held(_ size: Int64? = 10, eTag: String? = "aa", id: String? = "id") -> HeldObject {
        HeldObject(id: id, size: size, eTag: eTag, version: nil, updatedAt: nil)
    }

    private static let anew = ObjectFinding.different("it was deleted and stored anew by another client")

    @Test(
        arguments: [
            ("what is not there is missing", nil, .missing), ("all is the same", held(), .same),
            ("a byte less", held(9), .different("it has 9 bytes instead of 10")),
            ("of unknown size", held(nil), .different("it has an unknown number of bytes instead of 10")),
            ("the size goes before the eTag", held(11, eTag: "bb"), .different("it has 11 bytes instead of 10")),
            ("stored anew with the same bytes", held(id: "another"), .same),
            ("without an eTag", held(eTag: nil), .same),
            ("another one without an eTag", held(eTag: nil, id: "another"), anew),
            ("nothing but its size is known", held(eTag: nil, id: nil), .same),
        ] as [(String, HeldObject?, ObjectFinding)])
    func sizeThenETagThenIdentityDecide(_ row: (why: String, held: HeldObject?, finding: ObjectFinding)) {
        #expect(ObjectFinding(Self.receipt(), held: row.held) == row.finding, "\(row.why)")
    }

    /// An eTag between quotes, weak or not, is the same; one that says nothing decides nothing.
    @Test(
        arguments: [
            Fact("quotes do not count", ("\"aa\"", "aa"), .same), Fact("nor does W/", ("W/\"aa\"", "\"aa\""), .same),
            Fact("nothing between the quotes is no eTag", ("\"\"", "\"\""), anew),
            Fact("nor a weak one of nothing", ("W/\"\"", "W/\"\""), anew), Fact("nor nothing at all", ("", ""), anew),
            Fact("one that the receipt has not", (nil, "aa"), anew), Fact("one that it alone has", ("aa", nil), anew),
        ] as [Fact<(before: String?, now: String?), ObjectFinding>])
    func anETagThatSaysNothingLeavesItToTheIdentity(
        _ fact: Fact<(before: String?, now: String?), ObjectFinding>
    ) {
        let finding = ObjectFinding(
            Self.receipt(eTag: fact.input.before), held: Self.held(eTag: fact.input.now, id: "another"))
        #expect(finding == fact.output)
    }

    @Test func anotherETagIsADifference() {
        guard case .different = ObjectFinding(Self.receipt(), held: Self.held(eTag: "bb")) else {
            Issue.record("the same")
            return
        }
    }

    @Test func aSampleIsTheSameForASeedAndAboutAsLargeAsAskedFor() {
        let keys = (0..<10_000).map { "Pictures/\($0).jpg" }
        let sample = Sample(percent: 5, seed: 7)
        let chosen = keys.filter(sample.contains)
        #expect(chosen == keys.filter(Sample(percent: 5, seed: 7).contains))
        #expect(chosen != keys.filter(Sample(percent: 5, seed: 8).contains))
        #expect((400...600).contains(chosen.count))
        #expect(keys.allSatisfy(Sample(percent: 100, seed: 7).contains))
    }
}
