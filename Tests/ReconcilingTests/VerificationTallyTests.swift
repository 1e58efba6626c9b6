import Foundation
import Queue
import Records
import Sync
import Testing

@testable import Reconciling

/// What a progress display shows of a verification.
@Suite struct VerificationTallyTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private static func receipt(_ key: String, size: Int64 = 10) -> Receipt {
        Receipt(
            destination: "d", key: ObjectKey(text: key), role: .original, item: ItemIdentifier(at: now),
            sha256: String(repeating: "0", count: 64), size: size, objectID: nil, version: nil, eTag: nil,
            updatedAt: nil, verifiedAt: now, proof: .md5)
    }

    private static func volume(_ total: Int, objects: Int = 0, bytes: Int64 = 0) -> VerifyVolume {
        var volume = VerifyVolume()
        (volume.total, volume.objects, volume.bytes) = (total, objects, bytes)
        return volume
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var volume = VerificationTallyTests.volume(3, objects: 2, bytes: 20)
        let acts: @Sendable (VerificationTally) -> Void
        var checked = 0
        var downloaded: Int? = 0
        var bytes: Int64 = 0
        var current: [String] = []
    }

    @Test(arguments: [
        Row(testDescription: "it has begun", acts: { _ in }),
        Row(testDescription: "listings alone", volume: volume(3), acts: { $0.check(2) }, checked: 2, downloaded: nil),
        Row(testDescription: "a receipt came meanwhile", acts: { $0.check(4) }, checked: 3),
        Row(
            testDescription: "two at once",
            acts: {
                $0.note(receipt("a"), bytes: 4); $0.note(receipt("b"), bytes: 1)
            },
            bytes: 5, current: ["a 4 of 10", "b 1 of 10"]),
        Row(
            testDescription: "one again from the start",
            acts: {
                $0.note(receipt("a"), bytes: 8); $0.note(receipt("a"), bytes: 0)
            }, current: ["a 0 of 10"]),
        Row(
            testDescription: "one is done, whatever came of it",
            acts: {
                $0.note(receipt("a"), bytes: 4); $0.finish(receipt("a"))
            }, downloaded: 1, bytes: 10),
        Row(
            testDescription: "one was found wrong before, and is none of the sample",
            acts: { tally in for key in ["a", "b", "c"] { tally.finish(receipt(key, size: 5)) } }, downloaded: 2,
            bytes: 15),
    ])
    func whatIsShown(_ row: Row) async throws {
        let tally = VerificationTally()
        tally.check(1)
        #expect(tally.progress == nil, "none is under way")
        let progress = await tally.following(row.volume) {
            row.acts(tally)
            return tally.progress
        }
        let shown = try #require(progress)
        #expect(tally.progress == nil, "it is over")
        #expect(shown.counts.first == .init(.record, done: row.checked, of: 3))
        #expect(shown.counts.dropFirst().first?.done == row.downloaded)
        #expect(shown.counts.dropFirst().first?.total == row.downloaded.map { _ in 2 })
        #expect(shown.bytesDone == row.bytes && shown.bytesTotal == row.volume.bytes)
        #expect(shown.current.map { "\($0.path) \($0.done) of \($0.size)" } == row.current)
    }
}
