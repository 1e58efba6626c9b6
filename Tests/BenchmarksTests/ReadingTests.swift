import Testing

@testable import Benchmarks

@Suite struct ReadingTests {
    @Test(
        arguments: [
            (Figure(0.0301, .seconds), "30.1 ms"),
            (Figure(0.9999, .seconds), "1,000 ms"),
            (Figure(1, .seconds), "1.00 s"),
            (Figure(61.25, .seconds), "61.3 s"),
            (Figure(999_999, .bytes), "1,000 kB"),
            (Figure(1e6, .bytes), "1.00 MB"),
            (Figure(35 * 1_048_576, .memory), "35.0 MiB"),
            (Figure(243_400_000, .bytesPerSecond), "243 MB/s"),
            (Figure(54_321.6, .changesPerSecond), "54,322 changes/s"),
            (Figure(1.005, .requestsPerObject), "1.00 requests/object"),
            (Figure(0, .wakeupsPerSecond), "0.00 wakeups/s"),
            (Figure(1, .files), "1 file"), (Figure(0, .files), "0 files"), (Figure(12_345, .files), "12,345 files"),
            (Figure(.infinity, .files), "– files"), (Figure(.infinity, .seconds), "– s"),
        ])
    func readsAsPeopleWriteIt(reading: Figure, text: String) {
        #expect(reading.text == text)
    }

    @Test(
        arguments: [
            (0.004, "0.00"), (0.05, "0.05"), (9.994, "9.99"), (9.996, "10.0"), (99.94, "99.9"), (99.96, "100"),
            (-0.05, "-0.05"), (-0.5, "-0.50"), (-12, "-12.0"), (-1_234, "-1,234"), (1e15, "–"), (-1e300, "–"),
            (999_999_999_999_999, "999,999,999,999,999"), (999.6, "1,000"), (1_234_567, "1,234,567"), (.infinity, "–"),
            (.nan, "–"),
        ] as [(Double, String)])
    func threeDigitsCount(value: Double, text: String) {
        #expect(Figure.digits(value) == text)
    }
}
