import Fixtures
import Foundation
import Platform
import Queue
import Records
import Testing
import Text

@testable import Catalog

/// What is expected of requests that were given up, when the clock was set back since.
@Suite struct LateRequestTests {
    private static let destination = Shelf.destination
    private static let key = Shelf.item("a.jpg").objectKey

    /// A time on the clock, in seconds from now.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let noted: Double
        /// When a receipt under the same key was earned.
        let proven: Double
        let notedAfter: Double
        let provenAfter: Double
    }

    /// The order of a request and a receipt is what later questions go by: one that may have come after is asked about.
    @Test(arguments: [
        Row(testDescription: "in the past", noted: -10, proven: -20, notedAfter: -10, provenAfter: -20),
        Row(testDescription: "by a corrected clock", noted: 60, proven: 20, notedAfter: 60, provenAfter: 20),
        Row(testDescription: "an old receipt", noted: 3_600, proven: -20, notedAfter: 0, provenAfter: -20),
        Row(testDescription: "a receipt before it", noted: 3_600, proven: 3_000, notedAfter: 0, provenAfter: -1e-3),
        Row(testDescription: "a receipt after it", noted: 3_600, proven: 4_000, notedAfter: 0, provenAfter: -1e-3),
    ])
    func whatTheClockIsAheadOfIsDatedAnew(_ row: Row) async throws {
        let shelf = try await Shelf()
        let item = Items.with(Shelf.item("a.jpg")) { $0.lastAttemptAt = Shelf.now + row.noted }
        let stored = Items.with(Shelf.item("a.jpg", content: "other")) { $0.lastAttemptAt = Shelf.now - 7_000 }
        var receipt = Shelf.receipt(stored)
        receipt.verifiedAt = Shelf.now + row.proven
        try await shelf.library.record([(receipt, stored)])
        try await shelf.library.remember(item, destination: Self.destination)
        for destination in [Self.destination, "elsewhere"] {
            for age in [5.0, 0] {
                try await shelf.library.noteDeletion(
                    of: [Self.key], destination: destination, at: Shelf.now + row.noted - age)
            }
        }

        try await shelf.library.redateLateRequests(destination: Self.destination, at: Shelf.now)
        try await shelf.library.commit()

        func nanoseconds(_ seconds: Double) -> Int64 {
            FileTime(Shelf.now).nanoseconds + Int64((seconds * 1e9).rounded())
        }
        let attempt = try #require(try await shelf.attempts(item).first)
        #expect(FileTime(attempt.notedAt).nanoseconds == nanoseconds(row.notedAfter))
        let known = try #require(try await shelf.library.receipt(destination: Self.destination, key: Self.key))
        #expect(abs(FileTime(known.verifiedAt).nanoseconds - nanoseconds(row.provenAfter)) < 5_000)
        let deletion = try #require(try await shelf.library.deletions(destination: Self.destination).first)
        #expect(FileTime(deletion.notedAt).nanoseconds == nanoseconds(row.notedAfter))
        let other = try #require(try await shelf.library.deletions(destination: "elsewhere").first)
        #expect(FileTime(other.notedAt).nanoseconds == nanoseconds(row.noted))
        #expect(try await shelf.library.mayBeGone(known))
        // The one before it is no later.
        try await shelf.library.forgetDeletion(of: [Self.key], destination: Self.destination)
        let earlier = try #require(try await shelf.library.deletions(destination: Self.destination).first)
        #expect(earlier.notedAt <= deletion.notedAt)
    }
}
