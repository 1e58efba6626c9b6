import TestSupport
import Testing

@testable import Browsing

/// The parts of months that an offset and a count stand for.
@Suite struct MonthSliceTests {
    private static let months = [TimelineSpan(name: "2026-02", count: 3), TimelineSpan(name: "2025-12", count: 5)]

    @Test(
        arguments: [
            (0, 3, 9, ["2026-02 0 3"]), (0, 4, 9, ["2026-02 0 3", "2025-12 0 1"]), (2, 1, 9, ["2026-02 2 1"]),
            (3, 2, 9, ["2025-12 0 2"]), (7, 9, 9, ["2025-12 4 1"]), (8, 1, 9, []),
            (0, 9, 2, ["2026-02 0 2", "2026-02 2 1", "2025-12 0 2", "2025-12 2 2", "2025-12 4 1"]),
        ] as [(Int, Int, Int, [String])])
    func anOffsetIsFoundFromItsMonth(offset: Int, count: Int, limit: Int, slices: [String]) {
        let found = MonthSlice.slices(of: Self.months, from: offset, count: count, limit: limit)
        #expect(found.map { "\($0.month) \($0.skip) \($0.count)" } == slices)
    }

    /// Laid end to end the slices are what the same window of one long list would be.
    @Test(arguments: UInt64(1)...20)
    func aWindowIsThatOfOneLongList(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let months = (1...Int.random(in: 1...12, using: &random)).map { number in
            TimelineSpan(name: "2025-\(number)", count: .random(in: 0...9, using: &random))
        }
        let list = months.flatMap { month in (0..<month.count).map { "\(month.name) \($0)" } }
        for offset in [0, 1, list.count - 1, list.count, list.count + 1, .max] where offset >= 0 {
            for count in [0, 1, 7, list.count, .max] {
                let limit = Int.random(in: 1...5, using: &random)
                let slices = MonthSlice.slices(of: months, from: offset, count: count, limit: limit)
                #expect(slices.allSatisfy { (1...limit).contains($0.count) })
                let shown = slices.flatMap { slice in
                    (slice.skip..<slice.skip + slice.count).map { "\(slice.month) \($0)" }
                }
                #expect(shown == Array(list.dropFirst(offset).prefix(count)), "\(offset) \(count) \(limit)")
            }
        }
    }

    /// What is no month has no time in it.
    @Test(arguments: ["", "2026", "2026-", "2026-13", "2026-00", "-", "a-b", "2026-02-03", "99999999999999999999-01"])
    func whatIsNoMonthHasNoTime(name: String) {
        #expect(MonthSlice(month: name, skip: 0, count: 1).bounds.isEmpty)
    }

    @Test(
        arguments: [
            ("2026-02", 1_769_904_000..<1_772_323_200), ("2025-12", 1_764_547_200..<1_767_225_600),
            ("1969-12", -2_678_400..<0),
        ] as [(String, Range<Int64>)])
    func aMonthEndsWhereTheNextBegins(name: String, bounds: Range<Int64>) {
        #expect(MonthSlice(month: name, skip: 0, count: 1).bounds == bounds)
    }

    @Test func daysMakeMonths() {
        let days = [("2026-02-03", 1), ("2026-02-01", 2), ("2025-12-31", 4)].map {
            TimelineSpan(name: $0.0, count: $0.1)
        }
        #expect(days.months == [TimelineSpan(name: "2026-02", count: 3), TimelineSpan(name: "2025-12", count: 4)])
    }
}
