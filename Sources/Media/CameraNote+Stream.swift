import Facts
import Frames

extension CameraNote {
    /// The note in the first picture of a camcorder's stream; `nil` without one.
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

    /// The note in the boxes of a movie of MP4's family; `nil` without one.
    init?(movie descriptor: Int32) {
        do throws(FFmpegError) {
            let size = Int(try DescriptorInput.size(of: descriptor))
            self.init(MovieBoxes(size: size) { DescriptorInput.readable(of: descriptor, at: $0, count: $1) })
        } catch {
            return nil
        }
    }
}
