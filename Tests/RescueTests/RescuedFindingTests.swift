import Fixtures
import Foundation
import Platform
import Records
import Rescue
import Testing
import Text

@testable import Catalog
@testable import Queue

/// What the library says about a rescued file.
@Suite struct RescuedFindingTests {
    static let sha256 = String(repeating: "a", count: 64)
    static let file = Jobs.file(Jobs.link()) {
        $0.stage = .safe
        $0.sha256 = sha256
    }.files[0]

    static func receipt(_ role: Item.Role = .original, sha256: String = sha256, at place: String = "here") -> Receipt {
        let item = Items.pending("a.mp4")
        return Receipt(
            destination: place, key: item.objectKey, role: role, item: item.id, sha256: sha256, size: 9, objectID: nil,
            version: nil, eTag: nil, updatedAt: nil, verifiedAt: Jobs.now)
    }

    static func record(_ state: Asset.State, _ receipts: Receipt...) -> FileRecord {
        let asset = Asset(
            place: Asset.Place(directory: 1, name: []), root: "generated", path: "a.mp4", size: 9,
            modifiedAt: FileTime(Jobs.now), state: state, sha256: sha256, rank: Asset.Rank(.named, size: 9),
            forcedAt: nil)
        return FileRecord(
            asset: asset, found: Jobs.now, note: nil, code: nil, message: nil, pictures: .unwanted,
            receipts: receipts, companions: [])
    }

    static func word(_ record: FileRecord?) -> String {
        switch RescuedFinding(record, of: file, destination: "here") {
        case .stored: "stored"
        case .troubled(let failure): failure.code.text
        case .waiting: "waiting"
        case .unknown: "unknown"
        }
    }

    @Test func aFileThatWasNotSeenIsUnknown() {
        #expect(Self.word(nil) == "unknown")
    }

    @Test(arguments: Asset.State.allCases)
    func withoutAReceiptTheStateTells(state: Asset.State) {
        let word =
            switch state {
            case .seen, .identifying, .queued, .stored: "waiting"
            case .gone, .remoteOnly: "unknown"
            case .failed, .unreadable, .indexed, .excluded, .ignored, .held: "rescue.kept"
            }
        #expect(Self.word(Self.record(state)) == word)
    }

    @Test func onlyTheReceiptOfTheseBytesHereCounts() {
        #expect(Self.word(Self.record(.stored, Self.receipt())) == "stored")
        #expect(Self.word(Self.record(.remoteOnly, Self.receipt())) == "stored")
        #expect(Self.word(Self.record(.stored, Self.receipt(at: "elsewhere"))) == "waiting")
        #expect(Self.word(Self.record(.stored, Self.receipt(sha256: "b"))) == "waiting")
        #expect(Self.word(Self.record(.stored, Self.receipt(.thumbnail(512)))) == "waiting")
    }
}
