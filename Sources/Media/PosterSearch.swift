import CFFmpeg
import Frames
import MediaModel

/// Finds the frame that represents a video best.
///
/// Of the key frames at several places it decodes those with the most bytes, because detail costs bytes, and black
/// frames, fades and blur cost few. If these show nothing, it tries the others, and at last the frames from the start,
/// unless several key frames agree that the film is dark, such as one of the night sky.
struct PosterSearch: ~Copyable {
    private let limits: MediaLimits
    private let longSide: Int
    private let deadline: ContinuousClock.Instant
    private var best: Frame?
    private var bestScore: FrameScore?
    /// The number of frames that were decoded and scored.
    private(set) var scored = 0

    /// Shares of the duration, the most promising first.
    private static let places = [0.25, 0.5, 0.1, 0.75, 0.9, 0.4, 0.6, 0.02]
    /// The number of key frames to decode, provided that one of them shows something.
    private static let choice = 2
    /// The number of key frames that tell of a film without light, or of one all white, that it is so throughout.
    private static let enough = 3

    /// A key frame as the container knows it.
    private struct Candidate {
        /// Where to look for it.
        let seconds: Double
        /// Identifies the key frame: two places may lead to the same one.
        let position: Int64
        let bytes: Int
    }

    /// - Parameter longSide: Pixels of the longer side of the largest thumbnail.
    init(limits: MediaLimits, longSide: Int) {
        self.limits = limits
        self.longSide = longSide
        deadline = .now + .seconds(limits.posterSeconds)
    }

    /// The best frame within the budget; the first that decodes even when nothing meaningful is found in time.
    mutating func poster(of stream: Stream, in demuxer: borrowing Demuxer) throws(FFmpegError) -> Frame? {
        guard let name = stream.decoder else {
            throw FFmpegError(call: stream.codecName, code: cffmpeg_error_no_decoder)
        }
        demuxer.keepOnly(stream)
        // Scaling down averages block edges away, so the deblocking filter, a third of the work, can be skipped.
        let isQuick = max(stream.width, stream.height) >= 3 * longSide
        let decoder = try Decoder.opened(
            name, parameters: stream.parameters,
            options: Decoder.Options(maxPixels: limits.maxPixels, isQuick: isQuick))
        for candidate in try candidates(of: stream, in: demuxer) where !isSettled && !isOver {
            try consider(candidate, of: stream, in: demuxer, with: decoder)
        }
        if bestScore?.isMeaningful != true, !isAlike, best == nil || !isOver {
            try considerEverything(of: stream, in: demuxer, with: decoder)
        }
        return best.take()
    }

    private var isSettled: Bool { scored >= Self.choice && bestScore?.isMeaningful == true }
    /// Whether the key frames show something, though too dark or too pale, so that others would hardly be better.
    private var isAlike: Bool { scored >= Self.enough && bestScore?.hasContrast == true }
    private var isOver: Bool { best != nil && isLate }
    private var isLate: Bool { ContinuousClock.now >= deadline }

    /// The distinct key frames at the places, the one with the most bytes first.
    private func candidates(of stream: Stream, in demuxer: borrowing Demuxer) throws(FFmpegError) -> [Candidate] {
        guard demuxer.canSeek, let duration = demuxer.duration else { return [] }
        let start = try start(of: stream, in: demuxer)
        let packet = try Packet()
        var found: [Candidate] = []
        for place in Self.places.prefix(limits.posterCandidates) where found.isEmpty || !isLate {
            let seconds = start + duration * place
            guard readKeyFrame(of: stream, at: seconds, in: demuxer, into: packet) else { continue }
            let time = packet.pointer.pointee.pts
            let position = time == cffmpeg_no_time ? packet.pointer.pointee.pos : time
            guard !found.contains(where: { $0.position == position }) else { continue }
            found.append(Candidate(seconds: seconds, position: position, bytes: packet.count))
        }
        return found.sorted { $0.bytes > $1.bytes }
    }

    /// The start of the stream in seconds; by its first frame if the container does not state it.
    private func start(of stream: Stream, in demuxer: borrowing Demuxer) throws(FFmpegError) -> Double {
        if let start = demuxer.start { return start }
        let packet = try Packet()
        guard try demuxer.read(stream, into: packet) else { return 0 }
        return stream.seconds(packet.pointer.pointee.pts) ?? 0
    }

    /// Reads the key frame at or before a time in seconds, else the next; `false` if none can be read.
    private func readKeyFrame(
        of stream: Stream, at seconds: Double, in demuxer: borrowing Demuxer, into packet: borrowing Packet
    ) -> Bool {
        guard demuxer.seek(stream, to: seconds) else { return false }
        do throws(FFmpegError) {
            repeat {
                guard try demuxer.read(stream, into: packet) else { return false }
            } while !packet.isKey
            return true
        } catch {
            // A damaged place only loses this candidate; the search goes on.
            return false
        }
    }

    /// Decodes a key frame alone and keeps it if it is better.
    private mutating func consider(
        _ candidate: Candidate, of stream: Stream, in demuxer: borrowing Demuxer, with decoder: borrowing Decoder
    ) throws(FFmpegError) {
        let packet = try Packet()
        guard readKeyFrame(of: stream, at: candidate.seconds, in: demuxer, into: packet) else { return }
        defer { decoder.reset() }
        do throws(FFmpegError) {
            try decoder.send(packet)
            decoder.finish()
            if let frame = try decoder.receive() { try consider(frame) }
        } catch {
            // A damaged key frame only loses this candidate; the search goes on.
        }
    }

    /// Decodes from the start on, looking at the first frames and then at one in eight.
    private mutating func considerEverything(
        of stream: Stream, in demuxer: borrowing Demuxer, with decoder: borrowing Decoder
    ) throws(FFmpegError) {
        _ = demuxer.rewind(stream)
        decoder.reset()
        let packet = try Packet()
        var count = 0
        var failure: FFmpegError?
        var isFinished = false
        while !isFinished, !isOver, bestScore?.isMeaningful != true {
            do throws(FFmpegError) {
                if try demuxer.read(stream, into: packet) {
                    try decoder.send(packet)
                } else {
                    decoder.finish()
                    isFinished = true
                }
                while let frame = try decoder.receive() {
                    if count < 16 || count % 8 == 0 || best == nil { try consider(frame) }
                    count += 1
                }
            } catch {
                failure = error
                if error.call == "av_read_frame" { break }
            }
        }
        if best == nil, let failure { throw failure }
    }

    private mutating func consider(_ frame: consuming Frame) throws(FFmpegError) {
        scored += 1
        let shape = Shape(width: frame.width, height: frame.height, pixelAspect: 1, orientation: .upright)
        let size = shape.fitted(into: 160).stored
        let score = FrameScore(
            try Scaler.bitmap(from: frame, width: size.width, height: size.height, quality: .quick))
        if let bestScore, !score.isBetter(than: bestScore) { return }
        bestScore = score
        best = consume frame
    }
}

extension FrameScore {
    fileprivate func isBetter(than other: FrameScore) -> Bool {
        isMeaningful == other.isMeaningful ? value > other.value : isMeaningful
    }
}
