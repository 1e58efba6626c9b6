import Fixtures
import Foundation
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

    @Test func whatIsNotThereIsMissing() {
        #expect(ObjectFinding(Self.receipt(), held: nil) == .missing)
    }

    @Test(arguments: [
        (held(), true), (held(9), false), (held(nil), false), (held(eTag: "bb"), false),
        (held(id: "another"), true), (held(eTag: nil), true), (held(eTag: nil, id: "another"), false),
        (held(eTag: nil, id: nil), true),
    ])
    func sizeThenETagThenIdentityDecide(_ held: HeldObject, _ isSame: Bool) {
        #expect((ObjectFinding(Self.receipt(), held: held) == .same) == isSame)
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
