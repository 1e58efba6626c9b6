import Glibc

/// Local time: this computer's time zone with its daylight saving time.
package enum WallClock {
    /// Seconds since 1970 in local time, at the moment `seconds` after 1970 UTC.
    package static func seconds(at seconds: Int64) -> Int64 {
        var (moment, parts) = (time_t(seconds), tm())
        guard localtime_r(&moment, &parts) != nil else { return seconds }
        return seconds + Int64(parts.tm_gmtoff)
    }
}
