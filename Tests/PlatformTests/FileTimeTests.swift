import Glibc
import Testing

@testable import Platform

/// Times that file systems know, of which not all are nanoseconds in 64 bits.
@Suite struct FileTimeTests {
    @Test(
        arguments: [
            (0, 1, 1), (-1, 999_999_999, -1), (9_223_372_036, 854_775_806, .max - 1),
            (9_223_372_036, 854_775_807, .max),
            (9_223_372_036, 854_775_808, .max), (9_223_372_037, 0, .max), (10_413_792_000, 0, .max), (.max, 0, .max),
            (-9_223_372_036, 0, -9_223_372_036_000_000_000), (-9_223_372_037, 145_224_191, .min),
            (-9_223_372_038, 999_999_999, .min), (.min, 0, .min),
        ] as [(Int, Int, Int64)])
    func oneThatCannotBeKeptBecomesTheNearest(_ seconds: Int, _ nanoseconds: Int, _ kept: Int64) {
        #expect(FileTime(timespec(tv_sec: seconds, tv_nsec: nanoseconds)).nanoseconds == kept)
    }

    @Test func theBoundsAreKnown() {
        #expect(FileTime.latest.isBound && FileTime.earliest.isBound)
        for nanoseconds in [.min + 1, 0, .max - 1] as [Int64] { #expect(!FileTime(nanoseconds: nanoseconds).isBound) }
    }
}
