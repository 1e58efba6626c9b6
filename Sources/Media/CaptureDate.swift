import CFFmpeg
import FoundationEssentials
import Glibc
import MediaModel

/// When a picture was taken, from the texts a file holds about it.
struct CaptureDate: Hashable {
    let date: Date
    let source: CaptureDateSource

    /// By EXIF: with its own offset from UTC, else as this computer's local time.
    init?(exifOf frame: borrowing Frame) {
        let times = ["DateTimeOriginal", "DateTimeDigitized", "DateTime"].lazy
        let offset = frame.metadata("OffsetTimeOriginal") ?? frame.metadata("0x9011")
        guard
            let text = times.compactMap({ [pointer = frame.pointer] in Metadata.text($0, in: pointer.pointee.metadata) }
            ).first,
            let civil = CivilTime(exif: text, offset: offset)
        else { return nil }
        self.init(civil, source: civil.offset == nil ? .exifLocal : .exif)
    }

    /// By the container; Apple's tag first, since it knows the time zone and survives a copy.
    init?(containerOf demuxer: borrowing Demuxer, stream: Stream) {
        let texts = [
            demuxer.metadata("com.apple.quicktime.creationdate"), demuxer.metadata("creation_time"),
            stream.metadata("creation_time"), demuxer.metadata("DATE_RECORDED"), demuxer.metadata("date"),
        ]
        guard let civil = texts.lazy.compactMap({ $0.flatMap(CivilTime.init(iso8601:)) }).first else { return nil }
        self.init(civil, source: .container)
    }

    private init?(_ civil: CivilTime, source: CaptureDateSource) {
        if civil.offset == nil, source == .exifLocal {
            guard let seconds = Self.localSeconds(civil) else { return nil }
            date = Date(timeIntervalSince1970: Double(seconds))
        } else {
            date = Date(timeIntervalSince1970: Double(civil.secondsSince1970))
        }
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
