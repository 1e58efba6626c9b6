import Facts
import Frames

extension CamcorderNote {
    /// The note in the first picture of a stream, where FFmpeg's demuxers do not look; `nil` without one.
    init?(of stream: Stream, in demuxer: borrowing Demuxer) {
        defer { _ = demuxer.rewind(stream) }
        do throws(FFmpegError) {
            let packet = try Packet()
            guard try demuxer.read(stream, into: packet) else { return nil }
            if stream.codecName == "dvvideo" { self.init(dv: packet.bytes) } else { self.init(avchd: packet.bytes) }
        } catch {
            return nil
        }
    }
}
