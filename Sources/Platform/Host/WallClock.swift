import Glibc

/// The clock on the wall, with this computer's time zone and its summer time.
package enum WallClock {
    /// Seconds since 1970 as the wall shows them, at the moment `seconds` after 1970 UTC.
    package static func seconds(at seconds: Int64) -> Int64 {
        var (moment, parts) = (time_t(seconds), tm())
        guard localtime_r(&moment, &parts) != nil else { return seconds }
        return seconds + Int64(parts.tm_gmtoff)
    }
}
