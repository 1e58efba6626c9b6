import CFFmpeg
import FoundationEssentials
import Glibc
import MediaModel

/// When a picture was taken, from the metadata in its file.
struct CaptureDate: Hashable {
    let date: Date
    let source: CaptureDateSource

    /// By EXIF: the camera's time with its own offset from UTC; else with the offset that the GPS time implies;
    /// else the GPS time alone; else the camera's time as this computer's local time.
    init?(_ exif: ExifFacts) {
        switch (exif.taken, exif.satellites) {
        case (let taken?, _) where taken.offset != nil:
            self.init(seconds: taken.secondsSince1970, source: .exif)
        case (var taken?, let satellites?):
            if let offset = taken.offset(from: satellites) {
                taken.offset = offset
                self.init(seconds: taken.secondsSince1970, source: .exifGPS)
            } else {
                self.init(seconds: satellites.secondsSince1970, source: .gps)
            }
        case (nil, let satellites?):
            self.init(seconds: satellites.secondsSince1970, source: .gps)
        case (let taken?, nil):
            guard let seconds = Self.localSeconds(taken) else { return nil }
            self.init(seconds: seconds, source: .exifLocal)
        case (nil, nil):
            return nil
        }
    }

    /// By the container; Apple's tag first, since it holds the time zone and survives a copy.
    init?(containerOf demuxer: borrowing Demuxer, stream: Stream) {
        let texts = [
            demuxer.metadata("com.apple.quicktime.creationdate"), demuxer.metadata("creation_time"),
            stream.metadata("creation_time"), demuxer.metadata("DATE_RECORDED"), demuxer.metadata("date"),
        ]
        guard let civil = texts.lazy.compactMap({ $0.flatMap(CivilTime.init(iso8601:)) }).first else { return nil }
        self.init(seconds: civil.secondsSince1970, source: .container)
    }

    /// By the file's modification time, which is the latest that the picture can have been taken.
    init?(file descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mtim.tv_sec > 0 else { return nil }
        self.init(seconds: facts.st_mtim.tv_sec, source: .file)
    }

    private init(seconds: Int, source: CaptureDateSource) {
        date = Date(timeIntervalSince1970: Double(seconds))
        self.source = source
    }

    /// Reads the time zone while the process may still open files.
    static func prepare() {
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
