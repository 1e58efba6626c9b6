import COpenEXR

/// The unpacked samples of a deep chunk: in each row, one channel after the other with those of all its pixels.
struct DeepSamples {
    private let channels: [EXRPart.Channel]
    private let alpha: Int?
    private let depth: Int?
    private let samples: UnsafeRawBufferPointer
    /// Where the next row begins.
    private var offset = 0
    /// Where the samples of each channel begin in the row at hand.
    private var starts: [Int] = []
    /// The samples of a pixel, the nearest first: each behind its depth, as one number that sorts fast.
    private var order: [UInt64] = []

    init(_ part: EXRPart, _ samples: UnsafeRawBufferPointer) {
        (channels, alpha, depth, self.samples) = (part.channels, part.alpha, part.depth, samples)
    }

    /// Lays each pixel's samples over each other; `false` if the row has fewer than it claims.
    ///
    /// - Parameter ends: The number of samples up to and with each pixel; `nil` if no pixel has one.
    mutating func flattenRow(
        _ width: Int, ends: UnsafeBufferPointer<Int32>?, _ use: (_ x: Int, _ light: SIMD3<Float>) -> Void
    ) -> Bool {
        let total = Int(ends?.last ?? 0)
        starts.removeAll(keepingCapacity: true)
        var end = offset
        for channel in channels {
            starts.append(end)
            end += total * channel.bytes
        }
        guard total >= 0, end <= samples.count else { return false }
        offset = end
        var first = 0
        for x in 0..<width {
            let last = ends.map { Int($0[x]) } ?? 0
            guard first <= last, last <= total else { return false }
            use(x, light(of: first..<last))
            first = last
        }
        return true
    }

    /// The light of a pixel on black: each sample covers a share of those behind it (OpenEXR, "Interpreting Deep Pixels").
    private mutating func light(of pixel: Range<Int>) -> SIMD3<Float> {
        order.removeAll(keepingCapacity: true)
        for sample in pixel { order.append(UInt64(rank(sample)) << 32 | UInt64(sample)) }
        if pixel.count > 1, depth != nil { order.sort() }
        var light = SIMD3<Float>()
        var seen: Float = 1
        for entry in order where seen > 0 {
            let sample = Int(entry & 0xFFFF_FFFF)
            for channel in channels.indices {
                if let colour = channels[channel].colour { light[colour] += seen * value(channel, sample) }
            }
            seen *= 1 - (alpha.map { min(max(value($0, sample), 0), 1) } ?? 1)
        }
        return light
    }

    /// The depth of a sample as a whole number of the same order.
    private func rank(_ sample: Int) -> UInt32 {
        guard let depth else { return 0 }
        let bits = value(depth, sample).bitPattern
        return bits >> 31 == 0 ? bits | 1 << 31 : ~bits
    }

    private func value(_ channel: Int, _ sample: Int) -> Float {
        channels[channel].value(in: samples, at: starts[channel] + sample * channels[channel].bytes)
    }
}
