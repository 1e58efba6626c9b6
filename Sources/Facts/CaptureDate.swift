package import FoundationEssentials
import Glibc
package import MediaModel

/// When a picture was taken, from the metadata in its file.
package struct CaptureDate: Hashable {
    /// The moment, in UTC.
    package let date: Date
    /// Seconds by which the clock that showed it was ahead of UTC; `nil` if only the moment is known.
    package let offset: Int?
    /// The source in the file.
    package let source: CaptureDateSource
    /// Whether it is the moment of exposure or recording, and not of digitizing, of a change or of a satellite fix.
    package private(set) var isOfExposure = true

    /// The first that is stated, of EXIF's moment of exposure, XMP, IPTC, the moment of digitizing, GPS and the change.
    ///
    /// The GPS time tells only the time zone, and only if it is within a day of the clock: receivers without a fix
    /// repeat an old day, or the first of their calendar. A day without a time gets the time of another date that has
    /// the same day.
    package init?(_ exif: ExifFacts, _ written: WrittenDates = WrittenDates()) {
        let clocks: [(CivilTime?, CaptureDateSource)] = [
            (exif.taken, .exif), (written.taken, .xmp), (written.recorded, .iptc), (exif.digitized, .exif),
            (written.created, .xmp),
        ]
        let stated = clocks.compactMap { clock, source in clock.map { ($0, source) } }
        if let (clock, source) = Self.first(of: stated, exif.satellites) {
            self.init(clock, source, clock.isDayAlone ? nil : exif.satellites, written)
        } else if let satellites = exif.satellites {
            self.init(seconds: satellites.secondsSince1970, source: .gps)
        } else if let changed = exif.changed {
            self.init(changed, .exif, nil, written)
        } else {
            return nil
        }
        isOfExposure = exif.taken != nil || written.taken != nil || written.recorded != nil
    }

    /// The first date or, if that is a day without a time, the first with a time on that day.
    private static func first(
        of stated: [(CivilTime, CaptureDateSource)], _ satellites: CivilTime?
    ) -> (CivilTime, CaptureDateSource)? {
        guard let (day, source) = stated.first, day.isDayAlone else { return stated.first }
        let whole = (stated + [satellites].compactMap { time in time.map { ($0, .gps) } }).first {
            !$0.0.isDayAlone && $0.0.isOnDay(of: day)
        }
        return whole ?? (day, source)
    }

    /// A clock's time with its own offset, else with the offset of the same time in XMP or IPTC, else with the one that
    /// the GPS time implies, else as this computer's local time.
    private init?(
        _ clock: CivilTime, _ source: CaptureDateSource, _ satellites: CivilTime?, _ written: WrittenDates
    ) {
        var clock = clock
        let twin = [written.taken, written.created, written.recorded].lazy.compactMap { $0 }.first {
            var plain = $0
            (plain.offset, plain.isUniversal) = (nil, false)
            return plain == clock && $0.offset != nil
        }
        if clock.offset == nil { clock.offset = twin?.offset }
        if clock.offset != nil {
            self.init(clock, source: source)
        } else if let offset = satellites.flatMap(clock.offset(from:)) {
            clock.offset = offset
            self.init(clock, source: source == .exif ? .exifGPS : source)
        } else {
            self.init(clock, source: source == .exif ? .exifLocal : source)
        }
    }

    /// A clock's time with its own offset, else as this computer's local time.
    package init?(_ clock: CivilTime, source: CaptureDateSource) {
        guard let seconds = clock.offset == nil ? Self.localSeconds(clock) : clock.secondsSince1970 else { return nil }
        var shown = clock
        shown.offset = 0
        self.init(
            seconds: seconds, offset: clock.isUniversal ? nil : shown.secondsSince1970 - seconds, source: source)
    }

    /// The file's modification time, which is the latest time at which the picture can have been taken.
    package init?(file descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mtim.tv_sec > 0 else { return nil }
        self.init(seconds: facts.st_mtim.tv_sec, source: .file)
        isOfExposure = false
    }

    /// This many seconds after 1970 in UTC, by a clock that was this far ahead of it.
    package init(seconds: Int, offset: Int? = nil, source: CaptureDateSource) {
        date = Date(timeIntervalSince1970: Double(seconds))
        self.offset = offset
        self.source = source
    }

    /// Loads the time zone while the process can still open files.
    package static func prepare() {
        tzset()
    }

    private static func localSeconds(_ civil: CivilTime) -> Int? {
        var parts = tm()
        parts.tm_year = Int32(civil.year - 1900)
        parts.tm_mon = Int32(civil.month - 1)
        parts.tm_mday = Int32(civil.day)
        parts.tm_hour = Int32(civil.hour)
        parts.tm_min = Int32(civil.minute)
        parts.tm_sec = Int32(civil.second)
        parts.tm_isdst = -1
        let seconds = mktime(&parts)
        return seconds == -1 ? nil : seconds
    }
}
