import Foundation
import Platform
import TestSupport
import Testing

@testable import Text

@Suite struct ISO8601Tests {
    static let second: Int64 = 1_000_000_000

    @Test(arguments: [
        ("the epoch", 0, 3, "1970-01-01T00:00:00.000Z"),
        ("a nanosecond before it", -1, 9, "1969-12-31T23:59:59.999999999Z"),
        ("milliseconds are cut, not rounded", 1_999_999, 3, "1970-01-01T00:00:00.001Z"),
        ("no fraction, no point", 1_795_168_800 * second, 0, "2026-11-20T10:00:00Z"),
        ("one digit", 1_795_168_800 * second + 250_000_000, 1, "2026-11-20T10:00:00.2Z"),
        ("a leap day", 1_709_164_800 * second, 3, "2024-02-29T00:00:00.000Z"),
        ("a century without one", 4_107_542_400 * second, 3, "2100-03-01T00:00:00.000Z"),
        ("the last second of a year", 1_798_761_599 * second, 3, "2026-12-31T23:59:59.000Z"),
        ("the earliest moment", Int64.min, 9, "1677-09-21T00:12:43.145224192Z"),
        ("the latest moment", Int64.max, 9, "2262-04-11T23:47:16.854775807Z"),
    ])
    func text(_ row: (why: String, nanoseconds: Int64, digits: Int, text: String)) {
        #expect(ISO8601.text(FileTime(nanoseconds: row.nanoseconds), digits: row.digits) == row.text, "\(row.why)")
    }

    @Test(
        arguments: [
            ("the form we write", "2026-11-20T10:00:00.123Z", 1_795_168_800_123_000_000),
            ("nanoseconds", "2026-11-20T10:00:00.123456789Z", 1_795_168_800_123_456_789),
            ("what is finer is cut", "2026-11-20T10:00:00.1234567899Z", 1_795_168_800_123_456_789),
            ("no fraction", "2026-11-20T10:00:00Z", 1_795_168_800 * second),
            ("small letters and a blank", "2026-11-20 10:00:00z", 1_795_168_800 * second),
            ("east of Greenwich is earlier", "2026-11-20T19:00:00+09:00", 1_795_168_800 * second),
            ("west of it is later", "2026-11-20T06:30:00-03:30", 1_795_168_800 * second),
            ("an offset without its colon", "2026-11-20T19:00:00+0900", 1_795_168_800 * second),
            ("a day alone is its midnight", "2026-11-20", 1_795_132_800 * second),
            ("a leap second is the next minute's first", "2016-12-31T23:59:60Z", 1_483_228_800 * second),
            ("the latest moment", "2262-04-11T23:47:16.854775807Z", Int64.max),
            ("the earliest moment", "1677-09-21T00:12:43.145224192Z", Int64.min),
            ("what a date far off becomes", "1677-09-21T00:12:43.146Z", -9_223_372_036_854_000_000),
            ("half a second before 1970", "1969-12-31T23:59:59.5Z", -second / 2),
        ] as [(String, String, Int64)])
    func time(_ row: (why: String, text: String, nanoseconds: Int64)) {
        #expect(ISO8601.time(row.text)?.nanoseconds == row.nanoseconds, "\(row.why)")
    }

    @Test(arguments: [
        ("nothing", ""), ("no zone", "2026-11-20T10:00:00"), ("a month too many", "2026-13-01"),
        ("no month", "2026-00-10"), ("no such day", "2026-02-29"), ("day zero", "2026-02-00"),
        ("an hour too many", "2026-11-20T24:00:00Z"), ("a minute too many", "2026-11-20T10:60:00Z"),
        ("a point without digits", "2026-11-20T10:00:00.Z"), ("something behind it", "2026-11-20T10:00:00Z!"),
        ("half a number", "2026-1-20"), ("letters for digits", "2026-11-2xT10:00:00Z"),
        ("signs for digits", "2026--1-20"), ("an offset of more than a day", "2026-11-20T10:00:00+24:00"),
        ("colons everywhere", "2026-11-20T10:00:00+:0:9:00"), ("a year that does not fit", "9999-12-31T00:00:00Z"),
        ("the moment after the latest", "2262-04-11T23:47:16.854775808Z"),
        ("the moment before the earliest", "1677-09-21T00:12:43.145224191Z"), ("a year before", "1676-09-21T00:12:44Z"),
        ("digits that are not ASCII", "２０２６-11-20"),
    ])
    func isNoTime(_ row: (why: String, text: String)) {
        #expect(ISO8601.time(row.text) == nil, "\(row.why)")
        #expect(ISO8601.date(row.text) == nil, "\(row.why)")
    }

    @Test(arguments: [Int64.min...Int64.max, Int64.min...(Int64.min + second), (Int64.max - second)...Int64.max])
    func everyMomentReadsBackAsItself(_ moments: ClosedRange<Int64>) {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<5_000 {
            let time = FileTime(nanoseconds: Int64.random(in: moments, using: &generator))
            #expect(ISO8601.time(ISO8601.text(time, digits: 9)) == time)
        }
    }

    @Test func itAgreesWithFoundationOnDaysOfEveryMonth() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for step in 0..<3_000 {
            let date = Date(timeIntervalSince1970: Double(step) * 2_500_000.5 - 4_000_000_000)
            #expect(ISO8601.text(date) == style.format(date))
        }
    }

    @Test(arguments: [
        ("three digits where that is all", 1_500_000_000, #""1970-01-01T00:00:01.500Z""#),
        ("nine digits otherwise", 1_500_000_001, #""1970-01-01T00:00:01.500000001Z""#),
    ])
    func inJSON(_ row: (why: String, nanoseconds: Int64, text: String)) throws {
        let time = FileTime(nanoseconds: row.nanoseconds)
        let data = try JSONEncoder().encode(time)
        #expect(String(decoding: data, as: UTF8.self) == row.text, "\(row.why)")
        #expect(try JSONDecoder().decode(FileTime.self, from: data) == time)
    }

    @Test func whatIsNoTimeDoesNotDecode() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(FileTime.self, from: Data(#""yesterday""#.utf8))
        }
    }

    @Test func datesKeepTheirMilliseconds() {
        for milliseconds in [0, 1, 999, 1_795_168_800_123] as [Int64] {
            let time = FileTime(nanoseconds: milliseconds * 1_000_000)
            #expect(FileTime(time.date) == time)
        }
    }

    @Test(
        arguments: [
            (Date.distantPast, -9_223_372_036_854_000_000), (.distantFuture, 9_223_372_036_854_000_000),
        ] as [(Date, Int64)])
    func datesFarOffBecomeTheLastThatFitsAndReadBack(date: Date, nanoseconds: Int64) throws {
        let time = FileTime(date)
        #expect(time.nanoseconds == nanoseconds)
        #expect(try JSONDecoder().decode(FileTime.self, from: JSONEncoder().encode(time)) == time)
    }
}
