import Frames

/// Decodes a baseline JPEG to a half, a quarter or an eighth of its size.
///
/// Most of a camera's JPEG is fine detail that a thumbnail does not show: its bits must be skipped, but need not
/// be turned into numbers. What neither this one nor `ProgressiveDecoder` reads, as damaged files, is left to FFmpeg.
///
/// Measured on 106 files of cameras (2 to 24 megapixels; FFmpeg 5.1 with `lowres`, libjpeg-turbo 2.1.5 to planes, median
/// of 7 rounds each): to an eighth libjpeg-turbo takes 1.63 times as long, to a quarter 1.39 times (FFmpeg 1.81), to a
/// half 0.77 times (FFmpeg 1.21). Halves occur only for pictures below 2,868 pixels, which are quick in any case.
struct ShrinkingDecoder {
    private let scan: JPEGScan
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Samples that remain of a block's eight, along each side: 1, 2 or 4.
    private let side: Int

    /// `nil` when the file is not a baseline JPEG or too large.
    ///
    /// - Parameter halvings: Of the size, 1 to 3.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, halvings: Int, maxPixels: Int) {
        guard (1...3).contains(halvings), let scan = JPEGScan(bytes), scan.width <= maxPixels / scan.height else {
            return nil
        }
        self.scan = scan
        self.bytes = bytes
        side = 8 >> halvings
    }

    /// The small picture; `nil` when the coded bits end early or are invalid.
    func frame() throws(FFmpegError) -> Frame? {
        let frame = try scan.paddedFrame(side: side)
        let waves = UnsafeMutablePointer<Float>.allocate(capacity: Block.size)
        defer { waves.deallocate() }
        var lanes: [Lane] = []
        for (component, plane) in zip(scan.components, frame.planes) {
            guard let data = plane.data,
                let lane = Lane(component, scan, data: data, stride: plane.stride, side: side, waves: waves)
            else {
                return nil
            }
            lanes.append(lane)
        }
        guard decode(lanes) else { return nil }
        scan.trim(frame, side: side)
        return frame
    }

    /// Decodes all units; `false` if the bits are invalid.
    private func decode(_ lanes: [Lane]) -> Bool {
        let units = scan.units
        var bits = JPEGBits(bytes, from: scan.start)
        var lanes = lanes
        var restarts = RestartCount(every: scan.restartInterval)
        for row in 0..<units.down {
            for column in 0..<units.across {
                if restarts.isDue() {
                    guard bits.restart() else { return false }
                    for index in lanes.indices { lanes[index].lastMean = 0 }
                }
                for index in lanes.indices {
                    guard lanes[index].decodeUnit(&bits, column: column, row: row) else { return false }
                }
            }
            if bits.isOverrun { return false }
        }
        return true
    }
}
