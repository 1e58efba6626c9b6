import Foundation
import Platform
import Queue
import Records
import Testing
import Text

@Suite struct ReceiptProofTests {
    private static let made = Date(timeIntervalSince1970: 1_800_000_000)
    private static let item = Item(
        root: "Pictures", path: "a.jpg", role: .original, contentType: "image/jpeg", size: 3, sha256: "a1",
        modifiedAt: FileTime(made), bucket: "media", objectKey: ObjectKey(text: "Pictures/a.jpg"), now: made)

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var isOwn = false
        var sha256 = "a1"
        var size: Int64 = 3
        var secondsLater = 1.0
        /// When the item that earned it was made, in seconds after this one.
        var earnerLater = 0.0
        /// When the user asked for the bytes again, in seconds after the item was made.
        var requested: Double?
        let proves: Bool
    }

    @Test(arguments: [
        Row(testDescription: "its own proves an item", isOwn: true, secondsLater: 0, proves: true),
        Row(testDescription: "even after the clock went back", isOwn: true, secondsLater: -9, proves: true),
        Row(testDescription: "an equal item's, earned later, proves it too", proves: true),
        Row(testDescription: "earned in the same moment", secondsLater: 0, proves: true),
        Row(testDescription: "an older one never does", secondsLater: -0.001, proves: false),
        Row(
            testDescription: "nor one that is older than the request, after the clock went back", requested: 2,
            proves: false),
        Row(
            testDescription: "nor one that was confirmed after the request", secondsLater: 9, requested: 1,
            proves: false),
        Row(
            testDescription: "one whose item is not older than the request", earnerLater: 1, requested: 1,
            proves: true),
        Row(testDescription: "other bytes prove nothing", sha256: "b2", proves: false),
        Row(testDescription: "another size proves nothing", size: 4, proves: false),
    ])
    func whichReceiptProvesWhichItem(_ row: Row) {
        let earner = row.isOwn ? Self.item.id : ItemIdentifier(at: Self.made + row.earnerLater)
        let receipt = Receipt(
            destination: "here", key: Self.item.objectKey, role: .original, item: earner, sha256: row.sha256,
            size: row.size, objectID: nil, version: nil, eTag: nil, updatedAt: nil,
            verifiedAt: Self.made + row.secondsLater)
        var item = Self.item
        item.forcedAt = row.requested.map { Self.made + $0 }
        #expect(receipt.proves(item) == row.proves)
    }

    /// An order to send a file again is done by what was sent since, and not by what was found in order.
    @Test(arguments: [(nil, 0, true), (-1.0, 0, true), (0, 0, true), (0.001, 0, false), (1, 0, false), (1, 9, false)])
    func whichOrderAReceiptHasDone(_ orderedAfter: Double?, _ confirmedAfter: Double, _ isDone: Bool) {
        let receipt = Receipt(
            destination: "here", key: Self.item.objectKey, role: .original, item: Self.item.id, sha256: "a1", size: 3,
            objectID: nil, version: nil, eTag: nil, updatedAt: nil,
            verifiedAt: Self.made + confirmedAfter)
        #expect(receipt.grants(orderedAfter.map { FileTime(Self.made + $0) }) == isDone)
    }

    /// Dates change where a receipt is confirmed, or its file is asked for; another upload is another object.
    @Test(
        arguments: [
            ("v1", "u1", 0, 0, true), ("v1", "u1", 60, -60, true), ("v2", "u1", 0, 0, false), ("v1", "u2", 0, 0, false),
            (nil, "u1", 0, 0, false),
        ] as [(String?, String, Double, Double, Bool)])
    func whichReceiptsAreForOneUpload(
        _ version: String?, _ updatedAt: String, _ verified: Double, _ redated: Double, _ isSame: Bool
    ) {
        func receipt(_ item: ItemIdentifier, _ version: String?, _ updatedAt: String, _ verified: Double) -> Receipt {
            Receipt(
                destination: "here", key: Self.item.objectKey, role: .original, item: item, sha256: "a1", size: 3,
                objectID: "o", version: version, eTag: nil, updatedAt: updatedAt, verifiedAt: Self.made + verified)
        }
        let known = receipt(Self.item.id, "v1", "u1", 0)
        let other = receipt(Self.item.id.redated(at: Self.made + redated), version, updatedAt, verified)
        #expect(known.isOfSameObject(as: other) == isSame)
        #expect(!known.isOfSameObject(as: receipt(ItemIdentifier(at: Self.made), "v1", "u1", 0)))
    }

    /// A time ahead is one of a clock that was set back since.
    @Test(arguments: [(-86_400.0, true), (-60, true), (-1, true), (0, true), (600, true), (600.5, false)])
    func howLongAGivenUpRequestMayStillArrive(_ seconds: Double, _ mayArrive: Bool) {
        let attempt = Attempt(
            destination: "here", key: Self.item.objectKey, sha256: "a1", role: .original, size: 3, place: nil,
            state: .unknown, notedAt: Self.made)
        #expect(attempt.mayArrive(at: Self.made + seconds) == mayArrive)
    }
}
