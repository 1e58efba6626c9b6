import Platform
import TestSupport
import Testing

@testable import CommandLine

/// `--since`: what it reads, and which moment that is.
@Suite struct SinceTests {
    /// 2026-11-20 10:00 UTC.
    static let now = FileTime(nanoseconds: 1_795_168_800_000_000_000)
    static let day: Int64 = 86_400_000_000_000

    @Test(arguments: [
        Fact("a week", "7d", now.nanoseconds - 7 * day), Fact("half a day", "0.5d", now.nanoseconds - day / 2),
        Fact("a millisecond", "1ms", now.nanoseconds - 1_000_000),
        Fact("two units", "1d12h", now.nanoseconds - day * 3 / 2),
        Fact("no time", "0s", now.nanoseconds), Fact("an hour", "1h", now.nanoseconds - day / 24),
        Fact("half an hour", "30m", now.nanoseconds - day / 48),
        Fact("half a second", "500ms", now.nanoseconds - 500_000_000),
        Fact("a second after 1970", "1970-01-01T00:00:01Z", 1_000_000_000), Fact("a day", "1970-01-02", day),
        Fact("a day before 1970", "1969-12-31", -day),
        Fact("a moment", "2026-11-20T10:00:00Z", now.nanoseconds),
        Fact("an age before all files", "106751d", now.nanoseconds - 9_000_000_000_000_000_000),
        Fact("one that no file time holds", "106752d", now.nanoseconds - 9_000_000_000_000_000_000),
        Fact("the longest that is read", "11574074d", now.nanoseconds - 9_000_000_000_000_000_000),
    ])
    func aMomentIsReckonedFromNow(_ row: Fact<String, Int64>) throws {
        #expect(try #require(Since(row.input)).moment(before: Self.now).nanoseconds == row.output)
    }

    /// Whatever the clock says.
    @Test(arguments: [Int64.min, Int64.min + 1, 0, Int64.max])
    func noClockIsTooWrong(_ nanoseconds: Int64) throws {
        let moment = try #require(Since("11574074d")).moment(before: FileTime(nanoseconds: nanoseconds))
        #expect(moment.nanoseconds <= nanoseconds)
    }

    @Test(arguments: [
        "", "7", "2026", "7.", "7.5", "2026.11", "11.20", " 7", "7 ", "7/s", "3 0", "yesterday", "-1h", "-1d",
        "2026-13-01", "2026-02-30", "2026-1-1", "2026-11-20T", "0001-01-01",
        "2999-01-01",
        "11574075d", "1e9d", "infd", "d", "7 d ago", "1M", "1d30M",
    ])
    func whatIsNeitherDateNorAgeIsNone(_ text: String) {
        #expect(Since(text) == nil)
    }
}
