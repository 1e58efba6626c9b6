import Facts
import Frames
import MediaModel

extension CaptureDate {
    /// The date in the container's metadata: Apple's tag first, because it has the time zone and survives a copy.
    ///
    /// What the camera notes in boxes of its own and a `date` with a time zone are the same of a shared video, whose
    /// other dates are those of its conversion. A moment without a zone is in UTC (FFmpeg's tags in Matroska and Flash
    /// video), but in an AVI it is the camera's clock.
    init?(containerOf demuxer: borrowing Demuxer, stream: Stream, type: MediaType, noted: CivilTime? = nil) {
        let day = Self.time(demuxer.metadata("date"))
        let isZoned = day?.offset != nil && day?.isUniversal == false
        let times = [
            Self.time(demuxer.metadata("com.apple.quicktime.creationdate")), noted, isZoned ? day : nil,
            Self.time(demuxer.metadata("creation_time"), isUniversal: type != .avi),
            Self.time(stream.metadata("creation_time"), isUniversal: type != .avi),
            Self.time(demuxer.metadata("DATE_RECORDED")), day,
        ]
        guard let civil = times.lazy.compactMap({ $0 }).first else { return nil }
        self.init(civil, source: .container)
    }

    private static func time(_ text: String?, isUniversal: Bool = false) -> CivilTime? {
        guard var time = text.flatMap(CivilTime.init(iso8601:)) else { return nil }
        if isUniversal, time.offset == nil { (time.offset, time.isUniversal) = (0, true) }
        return time
    }

    /// The date of a GoPro, whose movie header has its clock's time: what that is ahead of the satellites is the zone.
    ///
    /// `nil` without satellites, and if the clock is in UTC, as that of later models.
    init?(goPro demuxer: borrowing Demuxer) {
        guard let telemetry = demuxer.streams.first(where: { $0.tag == "gpmd" }),
            var clock = Self.time(demuxer.metadata("creation_time"))
        else { return nil }
        defer { _ = demuxer.rewind(telemetry) }
        do throws(FFmpegError) {
            let packet = try Packet()
            demuxer.keepOnly(telemetry)
            guard try demuxer.read(telemetry, into: packet), let moment = GoProTime.moment(in: packet.bytes),
                let offset = clock.offset(from: moment), offset != 0
            else { return nil }
            (clock.offset, clock.isUniversal) = (offset, false)
            self.init(clock, source: .container)
        } catch {
            return nil
        }
    }

    /// The date in a Windows Media file's properties, which FFmpeg does not pass on.
    init?(asf descriptor: Int32) {
        do throws(FFmpegError) {
            let start = try DescriptorInput.start(of: descriptor, count: 64 << 10)
            guard let seconds = ASFDate.seconds(in: start) else { return nil }
            self.init(seconds: seconds, source: .container)
        } catch {
            return nil
        }
    }

    /// The date in an AVI's list of facts, which FFmpeg passes over if it lies behind the pictures.
    init?(avi descriptor: Int32) {
        let found = AVIDate.time { DescriptorInput.readable(of: descriptor, at: $0, count: $1) }
        guard let found else { return nil }
        self.init(found, source: .container)
    }
}
