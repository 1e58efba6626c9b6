import Foundation
import Testing

@testable import MediaModel

@Suite struct CivilTimeTests {
    @Test(arguments: [
        ("2026:06:20 10:00:00", "+09:00", "2026-06-20T01:00:00Z"),
        ("2026:06:20 10:00:00", "-0330", "2026-06-20T13:30:00Z"),
        ("2026:06:20 10:00:00", "Z", "2026-06-20T10:00:00Z"),
        ("2024:02:29 23:59:59", "+00:00", "2024-02-29T23:59:59Z"),
        ("2000:02:29 00:00:00", "+14:00", "2000-02-28T10:00:00Z"),
        ("1969:12:31 23:59:59", "+00:00", "1969-12-31T23:59:59Z"),
        ("1904:01:02 10:00:00", "+00:00", "1904-01-02T10:00:00Z"),
        ("1826:01:01 00:00:00", "+00:00", "1826-01-01T00:00:00Z"),
        ("2026-06-20T10:00:00", "+01:00", "2026-06-20T09:00:00Z"),
    ])
    func exifWithAnOffsetIsAMoment(text: String, offset: String, moment: String) throws {
        let time = try #require(CivilTime(exif: text, offset: offset))
        let expected = try Date(moment, strategy: .iso8601)
        #expect(time.secondsSince1970 == Int(expected.timeIntervalSince1970))
    }

    @Test(arguments: [
        "", "    :  :     :  :  ", "0000:00:00 00:00:00", "1904:01:01 00:00:00", "1970:01:01 00:00:00",
        "1825:12:31 23:59:59",
        "65535:01:01 00:00:00", "2026:13:01 00:00:00", "2026:02:29 00:00:00", "2026:04:31 10:00:00",
        "2026:06:00 10:00:00", "2026:06:20 24:00:00", "2026:06:20 10:60:00", "2026:06:20 10:00:6", "2026:06:20",
        "-026:06:20 10:00:00", "Saturday, the 20th of June",
    ])
    func whatCamerasWriteWhenTheyDoNotKnowIsNothing(text: String) {
        #expect(CivilTime(exif: text) == nil)
        #expect(CivilTime(iso8601: text) == nil)
    }

    @Test(arguments: ["", "+9", "+09", "09:00", "+16:00", "+09:60", "+ab:cd", "+-100", "++100", "JST"])
    func anOffsetThatIsNoneIsUnknown(offset: String) throws {
        let time = try #require(CivilTime(exif: "2026:06:20 10:00:00", offset: offset))
        #expect(time.offset == nil)
    }

    @Test(arguments: [
        ("2026-06-20T01:00:00.000000Z", 0), ("2026-06-20T10:00:00+0900", 32_400),
        ("2026-06-20T10:00:00-07:00", -25_200),
        ("2026-06-20 10:00:00", nil), ("2026-06-20T10:00:00.5", nil),
    ])
    func iso8601SaysItsOffsetOrNot(text: String, offset: Int?) throws {
        let time = try #require(CivilTime(iso8601: text))
        #expect(time.offset == offset)
        #expect(time.isUniversal == text.hasSuffix("Z"))
        #expect(time.minute == 0)
    }

    /// Every 13th day from 1826 to 2200, compared with Foundation's calendar.
    @Test func aDayIsWhereTheCalendarHasIt() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let first = Int(try Date("1826-01-01T12:34:56Z", strategy: .iso8601).timeIntervalSince1970)
        for day in stride(from: 0, to: 136_900, by: 13) {
            let moment = Date(timeIntervalSince1970: Double(first + day * 86_400))
            let parts = calendar.dateComponents([.year, .month, .day], from: moment)
            let time = CivilTime(
                year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0, hour: 12, minute: 34, second: 56)
            #expect(time.secondsSince1970 == first + day * 86_400)
        }
    }
}
