import Testing
import Text

@Suite struct QuantityTests {
    @Test(arguments: [
        ("a bare number is bytes", "200000", 200_000),
        ("k is 1000", "8k", 8000),
        ("a space and a B", "200 kB", 200_000),
        ("capital K is k", "8K", 8000),
        ("Ki is 1024", "8KiB", 8192),
        ("a fraction", "1.5 GB", 1_500_000_000),
        ("a rate", "2M/s", 2_000_000),
        ("binary", "6 MiB", 6_291_456),
        ("spaces around", "  1 TB ", 1_000_000_000_000),
        ("an unknown unit", "8 parsecs", nil),
        ("no number", "MB", nil),
        ("negative", "-1", nil),
        ("two numbers", "1 2", nil),
        ("nothing", "", nil),
        ("more than fits", "99999999999T", nil),
        ("as many digits as one likes", String(repeating: "9", count: 400), nil),
        ("a space between thousands", "1 000 kB", nil), ("two units", "1G500M", nil), ("a byte alone", "7B", 7),
        ("a rate without a number", "/s", nil), ("half a byte counts as one", "0.5", 1), ("a point", ".", nil),
        ("an exponent", "1e6", nil), ("digits of another script", "٣ kB", nil), ("a unit twice", "1 kBB", nil),
    ])
    func bytes(_ row: (why: String, text: String, bytes: Int?)) {
        #expect(Quantity.bytes(row.text) == row.bytes, "\(row.why)")
    }

    @Test(arguments: [
        ("a bare number is seconds", "90", Duration.seconds(90)),
        ("milliseconds", "500ms", .milliseconds(500)),
        ("two units", "1h30m", .seconds(5400)),
        ("words", "2 days", .seconds(172_800)),
        ("a fraction", "1.5 s", .milliseconds(1500)),
        ("spaces between", "1 h 5 min", .seconds(3900)),
        ("weeks", "1w", .seconds(604_800)),
        ("units in any order", "5s1h", .seconds(3605)),
        ("the same unit twice", "1h1h", .seconds(7200)),
        ("a number without a unit after one with a unit: minutes or seconds?", "1h30", nil),
        ("a number without a unit before another", "5 10s", nil),
        ("a space between thousands", "1 000 s", nil),
        ("a comma between thousands", "1,000 s", nil),
        ("a sign", "-1 s", nil), ("an exponent", "1e3 s", nil), ("two points", "1.5.0 s", nil), ("a point", ".", nil),
        ("digits of another script", "٣ s", nil),
        ("the longest that is one", "999999999999", .seconds(999_999_999_999)),
        ("one second more", "1000000000000", nil),
        ("less than a millisecond counts as the nearest", "0.0006 s", .milliseconds(1)),
        ("an unknown unit", "1 fortnight", nil),
        ("no number", "soon", nil),
        ("nothing", "", nil),
        ("more than a human waits", "99999999999999999", nil),
    ])
    func duration(_ row: (why: String, text: String, duration: Duration?)) {
        #expect(Quantity.duration(row.text) == row.duration, "\(row.why)")
    }

    @Test(arguments: [(0, 0, 0), (1, 2, 3), (.max, 0, .max), (.max - 1, 1, .max), (.max, 1, .max), (.max, .max, .max)])
    func sizesAddUpAsFarAsNumbersGo(left: Int64, right: Int64, sum: Int64) {
        #expect(left.adding(size: right) == sum)
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1049, "1 kB"), (1050, "1.1 kB"), (9949, "9.9 kB"),
        (9950, "10 kB"), (999_499, "999 kB"), (999_500, "1 MB"), (1_234_567_890, "1.2 GB"), (34_000_000_000, "34 GB"),
    ])
    func bytesForPeople(_ bytes: Int, _ text: String) {
        #expect(Quantity.text(bytes: bytes) == text)
    }

    @Test(arguments: [
        (Duration.zero, "0 s"), (.milliseconds(20), "20 ms"), (.seconds(59), "59 s"), (.seconds(60), "1 min"),
        (.seconds(125), "2 min 5 s"), (.seconds(3599), "59 min 59 s"), (.seconds(3600), "1 h"),
        (.seconds(86399), "23 h 59 min"), (.seconds(86400), "1 day"), (.seconds(270_000), "3 days 3 h"),
        (.seconds(-5), "0 s"),
    ])
    func durationForPeople(_ duration: Duration, _ text: String) {
        #expect(Quantity.text(duration) == text)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1234, "-1,234")])
    func countForPeople(_ count: Int, _ text: String) {
        #expect(Quantity.text(count: count) == text)
    }

    @Test(arguments: [(0, "0 files"), (1, "1 file"), (2, "2 files"), (12_345, "12,345 files")])
    func aNounFollowsItsNumber(_ count: Int, _ text: String) {
        #expect(Quantity.text(count, "file") == text)
    }

    @Test(arguments: [0, 1, 999, 1000, 1024, 200_000, 6_291_456, 1_000_000_000, 1_073_741_824, 1_234_567])
    func exactBytesReadBack(_ bytes: Int) {
        #expect(Quantity.bytes(Quantity.exact(bytes: bytes)) == bytes)
    }

    @Test(arguments: [0, 1, 999, 1000, 1500, 60_000, 90_000, 3_600_000, 129_600_000, 86_400_000])
    func exactDurationsReadBack(_ milliseconds: Int) {
        let duration = Duration.milliseconds(milliseconds)
        #expect(Quantity.duration(Quantity.exact(duration)) == duration)
    }

    @Test(arguments: [
        (0.0, "0 B/s"), (1_250_000, "1.3 MB/s"), (.infinity, "0 B/s"), (-1, "0 B/s"), (.nan, "0 B/s"),
        (0.4, "0 B/s"), (999.6, "1 kB/s"), (1e18, "1000 PB/s"), (9.3e18, "9000 PB/s"), (1e300, "9000 PB/s"),
    ])
    func ratesForPeople(_ rate: Double, _ text: String) {
        #expect(Quantity.text(bytesPerSecond: rate) == text)
    }
}
