import Formats
import Foundation
import Testing

/// The calendar that every date of ours is computed with.
@Suite struct CivilDayTests {
    /// Against Foundation's calendar, which is another implementation.
    @Test func aDayIsWhereFoundationHasIt() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for number in stride(from: -25_000, to: 120_000, by: 13) {
            let moment = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: moment)
            let day = CivilDay(number: number)
            #expect(day.year == parts.year && day.month == parts.month && day.day == parts.day)
            #expect(day.number == number)
        }
    }

    @Test(
        arguments: [
            (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2100, 2, 29, nil), (2100, 3, 1, 47_541),
            (2026, 2, 30, nil), (2026, 0, 1, nil), (2026, 13, 1, nil), (2026, 4, 31, nil), (2026, 1, 0, nil),
            (0, 3, 1, -719_468), (-1, 12, 31, -719_529),
        ] as [(Int, Int, Int, Int?)])
    func aDayThatNoCalendarHasHasNoNumber(_ row: (year: Int, month: Int, day: Int, number: Int?)) {
        #expect(CivilDay(year: row.year, month: row.month, day: row.day).number == row.number)
    }

    @Test(arguments: [(7, 1, 3), (-7, -2, 1), (-1, -1, 3), (0, 0, 0), (-4, -1, 0), (4, 1, 0)])
    func aRemainderIsNeverNegative(_ row: (number: Int, quotient: Int, remainder: Int)) {
        #expect(row.number.flooredQuotientAndRemainder(by: 4) == (row.quotient, row.remainder))
    }
}
