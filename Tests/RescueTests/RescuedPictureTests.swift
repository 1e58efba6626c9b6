import Fixtures
import Foundation
import Platform
import Records
import Testing

@testable import Catalog
@testable import Queue
@testable import Rescue

/// Whether a row waits for the thumbnail of its file.
@Suite struct RescuedPictureTests {
    static func record(
        _ pictures: Asset.Pictures, note: String? = nil, _ receipts: Receipt...
    ) -> FileRecord {
        let record = RescuedFindingTests.record(.stored)
        return FileRecord(
            asset: record.asset, found: record.found, note: note, code: nil, message: nil, pictures: pictures,
            receipts: [RescuedFindingTests.receipt()] + receipts, companions: [])
    }

    static func item(_ status: Item.Status, _ blocked: Item.Blocked? = nil, error: String? = nil) -> Item {
        var item = Items.pending("a.mp4")
        item.status = status
        item.blocked = blocked
        item.lastError = error.map { Item.Failure(code: "http.413", message: $0, retryable: false) }
        return item
    }

    static func word(
        _ record: FileRecord?, _ items: [Item] = [], areMade: Bool = true, after seconds: Double = 0
    ) -> String {
        let picture = RescuedPicture(
            record, items: items, destination: "here", areMade: areMade, since: Jobs.now, now: Jobs.now + seconds)
        switch picture {
        case .stored(let receipt): return receipt.role.rawValue
        case .coming: return "coming"
        case .missing(let words): return String((words ?? "").dropFirst("Stored without its picture: ".count))
        }
    }

    @Test func theOneNearestTo512PixelsCounts() {
        let receipts = [128, 480, 1_024].map { RescuedFindingTests.receipt(.thumbnail($0)) }
        #expect(Self.word(Self.record(.made, receipts[0], receipts[1], receipts[2])) == "thumbnail-480")
        #expect(
            Self.word(Self.record(.failed, RescuedFindingTests.receipt(.thumbnail(512), at: "elsewhere")))
                == "none could be made of it")
    }

    @Test(arguments: [
        (Asset.Pictures.wanted, [Item](), "coming"), (.made, [item(.pending)], "coming"),
        (.made, [item(.uploading)], "coming"), (.made, [item(.pending, .offline)], "coming"),
        (.made, [item(.pending, error: "HTTP 503")], "coming"),
        (.made, [item(.failed, error: "too large"), item(.pending)], "coming"),
        (.made, [item(.failed, error: "too large")], "too large"),
        (.made, [item(.pending, .budget, error: "no room")], "no room"),
        (.made, [item(.pending, .tooLarge, error: "50 MB")], "50 MB"), (.made, [], "it is not stored yet"),
        (.failed, [], "none could be made of it"), (.unwanted, [], ""),
    ])
    func onlyWhatComesIsWaitedFor(_ row: (pictures: Asset.Pictures, items: [Item], word: String)) {
        #expect(Self.word(Self.record(row.pictures), row.items) == row.word)
    }

    @Test func theReasonIsTheDecoders() {
        #expect(Self.word(Self.record(.failed, note: "no key frame")) == "no key frame")
        #expect(Self.word(nil) == "it is not stored yet")
    }

    @Test func whereNoneAreMadeNoneIsMissed() {
        #expect(Self.word(Self.record(.wanted), areMade: false) == "")
        #expect(Self.word(Self.record(.made), [Self.item(.pending)], areMade: false) == "coming")
    }

    @Test func noPictureIsWaitedForWithoutEnd() {
        #expect(Self.word(Self.record(.wanted), after: 3_599) == "coming")
        #expect(Self.word(Self.record(.wanted), after: 3_600) == "it is not stored yet")
        #expect(Self.word(Self.record(.wanted), after: -59) == "coming")
        #expect(Self.word(Self.record(.wanted), after: -100_000) == "it is not stored yet", "the clock was set back")
        let item = Self.item(.pending, error: "HTTP 503")
        #expect(Self.word(Self.record(.made), [item], after: 3_600) == "HTTP 503")
    }
}
