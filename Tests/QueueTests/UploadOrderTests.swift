import Fixtures
import Foundation
import Platform
import Testing

@testable import Queue

@Suite struct UploadOrderTests {
    static let large = Asset.Rank.largeSize

    static func order(
        _ origin: Asset.Rank.Origin, size: Int64 = 1_000, age: Int64 = 3_600, retries: Int = 0,
        _ status: Item.Status = .pending
    ) -> UploadOrder {
        UploadOrder(
            Items.with(Items.pending(size: size, age: age)) {
                $0.retryCount = retries; $0.status = status
            }, origin: origin)
    }

    /// The first of each pair is sent first, although it is the older file.
    @Test(arguments: [
        ("what the user named before arrivals", order(.named, age: 9_999), order(.arrival)),
        ("arrivals before the backlog", order(.arrival, age: 9_999), order(.backlog)),
        ("a large one that was named before a small arrival", order(.named, size: large, age: 9_999), order(.arrival)),
        ("small before large", order(.backlog, size: large - 1, age: 9_999), order(.backlog, size: large)),
        ("newest first", order(.backlog, age: 1), order(.backlog, age: 2)),
        ("anything before a retry", order(.backlog, size: large, age: 9_999), order(.named, retries: 1)),
        ("anything before the daily try", order(.backlog, age: 9_999), order(.named, retries: 0, .failed)),
        ("among retries the usual order", order(.named, age: 9_999, retries: 3), order(.backlog, retries: 1)),
    ])
    func goesFirst(_ row: (why: String, first: UploadOrder, second: UploadOrder)) {
        #expect(row.first < row.second, "\(row.why)")
        #expect(!(row.second < row.first), "\(row.why)")
    }

    @Test func equalFilesGoInTheOrderTheyWereMade() {
        let first = Items.pending("a.jpg", made: Items.now - 2)
        let second = Items.pending("b.jpg", made: Items.now - 1)
        #expect(UploadOrder(first, origin: .backlog) < UploadOrder(second, origin: .backlog))
        #expect(!(UploadOrder(first, origin: .backlog) < UploadOrder(first, origin: .backlog)))
    }
}
