import COpenEXR
import Frames

/// Unpacks the chunks of a part one after the other, and keeps the rows of the last ones.
///
/// We turn unpacked bytes into samples ourselves, because the library of Debian 12 writes beyond the rows of channels
/// that have fewer samples than pixels.
final class EXRReader {
    private let context: exr_context_t
    /// Bytes of the file.
    private let size: Int
    private let part: EXRPart
    private let pipeline: UnsafeMutablePointer<exr_decode_pipeline_t>
    private var isBegun = false
    /// The first row in memory, and the number of rows, which is 0 if they could not be unpacked.
    private var first = Int.min
    /// Bytes that deep chunks may still unpack to, because a small file can claim to hold samples without end.
    private var room: Int
    private var count = 0
    /// The rows in memory of each of three colours, as wide as the data.
    private var planes: [Float]
    /// The shares of red, green and blue in brightness.
    private let weights: [Float]

    init(_ context: exr_context_t, _ part: EXRPart, size: Int) {
        (self.context, self.part, self.size) = (context, part, size)
        room = min(1 << 30, 1 << 28 + size * 8)
        pipeline = .allocate(capacity: 1)
        pipeline.initialize(to: exr_decode_pipeline_t())
        planes = [Float](repeating: 0, count: 3 * part.data.width * part.chunk.height)
        weights = (part.space ?? .standard).luminance.map { Float($0) }
    }

    deinit {
        if isBegun { exr_decoding_destroy(context, pipeline) }
        pipeline.deallocate()
    }

    /// Ensures that row `y` is in memory; `false` if it is damaged.
    func read(_ y: Int) -> Bool {
        let band = (y - part.data.y) / part.chunk.height
        let start = part.data.y + band * part.chunk.height
        guard start != first else { return y < first + count }
        let rows = min(part.chunk.height, part.data.y + part.data.height - start)
        (first, count) = (start, rows)
        for column in 0..<columns {
            guard let chunk = chunk(band, column), unpack(chunk), take(chunk, rows, column * part.chunk.width) else {
                count = 0
                return false
            }
        }
        return true
    }

    /// Whether all chunks of row `y` lie within the file.
    func holdsChunks(ofRow y: Int) -> Bool {
        let band = (y - part.data.y) / part.chunk.height
        return (0..<columns).allSatisfy { column in
            guard let chunk = chunk(band, column) else { return false }
            return chunk.packed_size <= UInt64(size) && chunk.data_offset <= UInt64(size) - chunk.packed_size
        }
    }

    private var columns: Int { part.isTiled ? (part.data.width - 1) / part.chunk.width + 1 : 1 }

    /// The chunk with the pixels of a band of rows; `nil` if its place cannot be read.
    private func chunk(_ band: Int, _ column: Int) -> exr_chunk_info_t? {
        var chunk = exr_chunk_info_t()
        let start = part.data.y + band * part.chunk.height
        let end =
            part.isTiled
            ? exr_read_tile_chunk_info(context, part.index, Int32(column), Int32(band), 0, 0, &chunk)
            : exr_read_scanline_chunk_info(context, part.index, Int32(start), &chunk)
        return end == 0 ? chunk : nil
    }

    private func unpack(_ chunk: exr_chunk_info_t) -> Bool {
        var chunk = chunk
        guard chunk.packed_size > 0 || part.isDeep, chunk.unpacked_size <= UInt64(part.bytes) else { return false }
        if part.isDeep {
            room -= Int(chunk.unpacked_size)
            guard room >= 0 else { return false }
        }
        guard !isBegun else {
            return exr_decoding_update(context, part.index, &chunk, pipeline) == 0
                && exr_decoding_run(context, part.index, pipeline) == 0
        }
        guard exr_decoding_initialize(context, part.index, &chunk, pipeline) == 0 else { return false }
        isBegun = true
        // The library demands a target for samples before it plans the unpacking, but nothing is written there.
        for channel in 0..<Int(pipeline.pointee.channel_count) {
            pipeline.pointee.channels[channel].decode_to_ptr = UnsafeMutableRawPointer(pipeline)
                .assumingMemoryBound(to: UInt8.self)
            pipeline.pointee.channels[channel].user_pixel_stride = 64
            pipeline.pointee.channels[channel].user_line_stride = 64
        }
        let isKnown = exr_decoding_choose_default_routines(context, part.index, pipeline) == 0
        pipeline.pointee.unpack_and_convert_fn = nil
        return isKnown && exr_decoding_run(context, part.index, pipeline) == 0
    }

    /// Spreads the samples of a chunk over its pixels; `false` if it has too few.
    private func take(_ chunk: exr_chunk_info_t, _ rows: Int, _ column: Int) -> Bool {
        guard !part.isDeep else { return takeDeep(chunk, rows, column) }
        guard let bytes = pipeline.pointee.unpacked_buffer else { return false }
        let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(chunk.unpacked_size))
        let width = min(part.chunk.width, part.data.width - column)
        var offset = 0
        return planes.withUnsafeMutableBufferPointer { planes in
            for row in 0..<rows {
                for channel in part.channels {
                    let isThere = (first + row) % channel.step.down == 0
                    let length = isThere ? width / channel.step.across * channel.bytes : 0
                    guard offset + length <= buffer.count else { return false }
                    if let colour = channel.colour {
                        let start = colour * part.chunk.height * part.data.width + column
                        let target = planes[(start + row * part.data.width)...].prefix(width)
                        if isThere {
                            let samples = UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + length])
                            channel.spread(samples, over: UnsafeMutableBufferPointer(rebasing: target))
                        } else {
                            // Repeats the row above, which may be the last one of the chunk before.
                            let above = (row > 0 ? row : part.chunk.height) - 1
                            let from = planes[(start + above * part.data.width)...].prefix(width)
                            for x in 0..<width { planes[target.startIndex + x] = from[from.startIndex + x] }
                        }
                    }
                    offset += length
                }
            }
            return true
        }
    }

    /// Lays the samples of each pixel of a deep chunk over each other; `false` if it has too few.
    private func takeDeep(_ chunk: exr_chunk_info_t, _ rows: Int, _ column: Int) -> Bool {
        let width = min(part.chunk.width, part.data.width - column)
        guard Int(chunk.width) == width, Int(chunk.height) == rows else { return false }
        // Without a table no pixel has a sample, and the library's is of another chunk.
        let table = chunk.sample_count_table_size > 0 ? pipeline.pointee.sample_count_table : nil
        let count = chunk.packed_size > 0 ? Int(chunk.unpacked_size) : 0
        let samples = UnsafeRawBufferPointer(start: pipeline.pointee.unpacked_buffer, count: count)
        let plane = part.chunk.height * part.data.width
        var deep = DeepSamples(part, samples)
        return planes.withUnsafeMutableBufferPointer { planes in
            for row in 0..<rows {
                let ends = table.map { UnsafeBufferPointer(start: $0 + row * width, count: width) }
                let isWhole = deep.flattenRow(width, ends: ends) { x, light in
                    for colour in 0..<3 { planes[colour * plane + row * part.data.width + column + x] = light[colour] }
                }
                guard isWhole else { return false }
            }
            return true
        }
    }

    /// Writes the part of row `y` of the data, which is in memory, that lies in the shown window.
    func paint(_ y: Int, _ light: UnsafeMutableBufferPointer<Float>) {
        let shift = part.shown.x - part.data.x
        let plane = part.chunk.height * part.data.width
        let row = (y - first) * part.data.width
        for x in 0..<part.shown.width {
            let at = x + shift
            guard (0..<part.data.width).contains(at) else {
                (light[x * 3], light[x * 3 + 1], light[x * 3 + 2]) = (0, 0, 0)
                continue
            }
            var (red, green, blue) = (planes[row + at], planes[plane + row + at], planes[2 * plane + row + at])
            if part.isLuminance {
                let brightness = green
                (red, blue) = ((red + 1) * brightness, (blue + 1) * brightness)
                green = (brightness - weights[0] * red - weights[2] * blue) / weights[1]
            }
            (light[x * 3], light[x * 3 + 1], light[x * 3 + 2]) = (red, green, blue)
        }
    }
}

extension EXRPart.Channel {
    /// Writes samples as floats, each to as many pixels as it stands for.
    fileprivate func spread(_ samples: UnsafeRawBufferPointer, over pixels: UnsafeMutableBufferPointer<Float>) {
        for x in 0..<pixels.count { pixels[x] = value(in: samples, at: x / step.across * bytes) }
    }
}
