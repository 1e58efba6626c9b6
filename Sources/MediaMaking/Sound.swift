import CFFmpeg
import Frames

/// A constant tone, so that a generated video has a sound track.
struct Sound: ~Copyable {
    private let encoder: Encoder
    private let stream: Int32

    private static let rate = 44_100

    private init(_ encoder: consuming Encoder, stream: Int32) {
        self.encoder = encoder
        self.stream = stream
    }

    /// A new AAC track in `muxer`.
    static func opened(in muxer: borrowing Muxer) throws(FFmpegError) -> Sound {
        let encoder = try Encoder.openedForSound("aac", rate: rate, hasGlobalHeader: muxer.wantsGlobalHeader)
        let stream = try muxer.add(encoder)
        return Sound(encoder, stream: stream)
    }

    /// Writes the whole track.
    func write(seconds: Double, into muxer: borrowing Muxer) throws(FFmpegError) {
        let samples = 1024
        for start in stride(from: 0, to: Int(seconds * Double(Self.rate)), by: samples) {
            let frame = try Frame()
            frame.pointer.pointee.nb_samples = Int32(samples)
            frame.pointer.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
            frame.pointer.pointee.sample_rate = Int32(Self.rate)
            av_channel_layout_default(&frame.pointer.pointee.ch_layout, 1)
            try FFmpegError.check(av_frame_get_buffer(frame.pointer, 0), "av_frame_get_buffer")
            frame.pointer.pointee.pts = Int64(start)
            frame.pointer.pointee.data.0?.withMemoryRebound(to: Float.self, capacity: samples) { wave in
                for index in 0..<samples { wave[index] = Self.triangle(start + index) }
            }
            try encoder.send(frame)
            try muxer.drain(encoder, into: stream)
        }
        encoder.finish()
        try muxer.drain(encoder, into: stream)
    }

    /// A triangle wave of 220 Hz.
    private static func triangle(_ sample: Int) -> Float {
        let phase = Float(sample * 220 % rate) / Float(rate)
        return 0.2 * (abs(phase - 0.5) * 4 - 1)
    }
}
