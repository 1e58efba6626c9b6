import COpenEXR
package import Frames
import Glibc
import Light
package import MediaModel

/// The picture of an OpenEXR file, as OpenEXR's core library unpacks it: pixels in rows or tiles, at full size.
///
/// Alpha of flat pixels is ignored, because colours are stored as they look on black.
package final class EXRPicture: LightPicture {
    /// Pixels.
    package let width: Int
    /// Pixels.
    package let height: Int
    /// How its rows lie.
    package let orientation = Orientation.upright
    /// Whatever is brighter than 1 is white, as players show it.
    package let isForScreens = true
    /// The primaries that the file states.
    package var space: ColourSpace? { part.space }

    /// The most colour samples of a row of tiles (128 MB), because all of them are in memory at once.
    private static let mostSamples = 1 << 25

    private let context: exr_context_t
    private let part: EXRPart
    private let source: UnsafeMutablePointer<UnsafeBufferPointer<UInt8>>

    /// `nil` if the file has no part that can be shown.
    ///
    /// - Parameter bytes: The file, which must outlive this value.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>, maxPixels: Int) {
        source = .allocate(capacity: 1)
        source.initialize(to: bytes)
        guard let context = Self.opened(source) else {
            source.deallocate()
            return nil
        }
        var parts: Int32 = 0
        exr_get_count(context, &parts)
        let part = (0..<min(parts, 64)).lazy.compactMap {
            EXRPart(context, $0, maxPixels: maxPixels, room: bytes.count)
        }.first
        guard let part, part.data.width * part.chunk.height <= Self.mostSamples / 3 else {
            var closed: exr_context_t? = context
            exr_finish(&closed)
            source.deallocate()
            return nil
        }
        (self.context, self.part) = (context, part)
        (width, height) = (part.shown.width, part.shown.height)
    }

    deinit {
        var context: exr_context_t? = context
        exr_finish(&context)
        source.deallocate()
    }

    private static func opened(_ source: UnsafeMutablePointer<UnsafeBufferPointer<UInt8>>) -> exr_context_t? {
        var start = exr_context_initializer_t()
        (start.size, start.user_data) = (MemoryLayout<exr_context_initializer_t>.size, UnsafeMutableRawPointer(source))
        (start.zip_level, start.dwa_quality) = (-2, -1)
        start.error_handler_fn = { _, _, words in words.map { DecoderLog.keep("OpenEXR: " + String(cString: $0)) } }
        // Zeroed, so that what the library cannot unpack because of damage is black, not what the memory held before.
        start.alloc_fn = { calloc(1, $0) }
        start.free_fn = { free($0) }
        start.size_fn = { _, opaque in
            Int64(opaque?.assumingMemoryBound(to: UnsafeBufferPointer<UInt8>.self).pointee.count ?? 0)
        }
        start.read_fn = { _, opaque, target, count, offset, _ in
            guard let opaque, let target else { return -1 }
            let bytes = opaque.assumingMemoryBound(to: UnsafeBufferPointer<UInt8>.self).pointee
            guard let from = bytes.baseAddress, offset <= UInt64(bytes.count) else { return -1 }
            let length = min(count, UInt64(bytes.count) - offset)
            memcpy(target, from + Int(offset), Int(length))
            return Int64(length)
        }
        var context: exr_context_t?
        // The library demands a name, although it opens no file.
        guard exr_start_read(&context, "picture", &start) == 0 else {
            exr_finish(&context)
            return nil
        }
        return context
    }

    /// Rows of the data window.
    package var dataHeight: Int { part.data.height }

    /// The number of data rows whose packed pixels lie within the file, whether they are sound or not.
    package var rowsThere: Int {
        let reader = EXRReader(context, part, size: source.pointee.count)
        let starts = stride(from: 0, to: part.data.height, by: part.chunk.height)
        return starts.reduce(0) { sum, start in
            let isThere = reader.holdsChunks(ofRow: part.data.y + start)
            return sum + (isThere ? min(part.chunk.height, part.data.height - start) : 0)
        }
    }

    /// Reads the rows of the shown window in order; pixels outside of the data are black, and damaged rows are skipped.
    package func eachRow(_ use: (_ y: Int, _ light: UnsafeBufferPointer<Float>) -> Void) {
        var light = [Float](repeating: 0, count: width * 3)
        let reader = EXRReader(context, part, size: source.pointee.count)
        let rows = part.data.y..<part.data.y + part.data.height
        for y in 0..<height {
            let row = y + part.shown.y
            guard rows.contains(row) else {
                light.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
                light.withUnsafeBufferPointer { use(y, $0) }
                continue
            }
            guard reader.read(row) else { continue }
            light.withUnsafeMutableBufferPointer { reader.paint(row, $0) }
            light.withUnsafeBufferPointer { use(y, $0) }
        }
    }
}
