import Testing

@testable import Configuration

@Suite struct RateTimetableTests {
    private static func table(_ spans: [(String, Int?)], otherwise: Int? = nil) throws -> RateTimetable {
        var table = RateTimetable(always: otherwise)
        for (text, rate) in spans { table.add(try #require(RateTimetable.Span(text), "\(text)"), rate) }
        return table
    }

    @Test(
        arguments: [
            ("the minute before", 0, 479, nil), ("the first minute", 0, 480, 1_000),
            ("the last minute", 4, 1_079, 1_000),
            ("the minute after", 4, 1_080, nil), ("Saturday all day", 5, 0, 4_000), ("Saturday's end", 5, 1_439, 4_000),
            ("Sunday", 6, 600, nil),
        ] as [(String, Int, Int, Int?)])
    func workingHours(why: String, weekday: Int, minute: Int, rate: Int?) throws {
        let table = try Self.table([("mon-fri 08:00-18:00", 1_000), ("sat", 4_000)])
        #expect(table.rate(weekday: weekday, minute: minute) == rate, "\(why)")
        #expect(table.varies)
    }

    @Test(
        arguments: [
            (4, 1_319, nil), (4, 1_320, 9), (5, 0, 9), (5, 359, 9), (5, 360, nil), (5, 1_320, nil), (6, 0, nil),
        ] as [(Int, Int, Int?)])
    func aNightBelongsToItsEvening(weekday: Int, minute: Int, rate: Int?) throws {
        let table = try Self.table([("mon-fri 22:00-06:00", 9)])
        #expect(table.rate(weekday: weekday, minute: minute) == rate)
    }

    @Test func theShortestSpanCounts() throws {
        let table = try Self.table([("mon-sun", 1), ("12:00-13:00", 2), ("wed 12:00-13:00", nil)], otherwise: 5)
        #expect(table.rate(weekday: 0, minute: 720) == 2)
        #expect(table.rate(weekday: 2, minute: 720) == nil)
        #expect(table.rate(weekday: 2, minute: 780) == 1)
    }

    @Test func aRangeOfDaysMayGoPastSunday() throws {
        let table = try Self.table([("sat-mon", 3)])
        #expect((0...6).map { table.rate(weekday: $0, minute: 0) } == [3, nil, nil, nil, nil, 3, 3])
    }

    /// 2026-11-20 10:00 was a Friday; 1969-12-31 a Wednesday.
    @Test(
        arguments: [
            (1_795_168_800, "fri 10:00-10:01", true), (1_795_168_799, "fri 10:00-10:01", false),
            (-60, "wed 23:59-24:00", true),
            (0, "thu 00:00-00:01", true),
        ] as [(Int64, String, Bool)])
    func theClockOnTheWallTellsTheDay(seconds: Int64, span: String, holds: Bool) throws {
        #expect((try Self.table([(span, 7)]).rate(wallSeconds: seconds) == 7) == holds)
    }

    @Test(arguments: [
        "", "mo", "mon-", "-fri", "mon fri", "mon 8-18", "mon 08:00", "mon 08:00-08:00", "mon 24:00-06:00",
        "08:60-09:00",
        "25:00-26:00", "mon 08:00-18:00 x", "mon,,fri", "08:00-18:00 mon",
    ])
    func whatIsNoTime(text: String) {
        #expect(RateTimetable.Span(text) == nil)
    }

    @Test func asTheConfigurationWritesIt() throws {
        let setting = try #require(Setting.named("upload.limitRate"))
        var settings = Settings()
        let text = #"{"mon-fri 08:00-18:00": "1M", "sat": null, default: "4M"}"#
        try setting.assignSpoken(text, &settings)
        let rates = try #require(settings.upload.limitRate)
        #expect(rates.rate(weekday: 0, minute: 480) == 1_000_000)
        #expect(rates.rate(weekday: 5, minute: 480) == nil)
        #expect(rates.rate(weekday: 6, minute: 480) == 4_000_000)
        var again = Settings()
        try setting.assign(setting.value(settings), &again)
        #expect(again == settings)
        let fault = #expect(throws: SettingFault.self) {
            try setting.assign(.table(["monday": .text("1M")]), &again)
        }
        #expect(fault?.place == ".\"monday\"")
    }
}
