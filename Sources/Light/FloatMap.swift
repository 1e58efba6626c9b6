package import MediaModel

/// A portable float map: three lines of text, then floats or half floats, the lowest row first (pfm(5) of Netpbm).
///
/// Photoshop writes width and height in a line each, and the highest row first.
package struct FloatMap: LightPicture {
    /// Pixels.
    package let width: Int
    /// Pixels.
    package let height: Int
    /// How its rows lie.
    package let orientation: Orientation
    private let bytes: UnsafeBufferPointer<UInt8>
    private let start: Int
    private let channels: Int
    /// Bytes of a sample.
    private let step: Int
    private let isBigEndian: Bool

    /// - Parameter bytes: The file, which must outlive this value.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var lines = Lines(bytes)
        guard let mark = lines.next(), ["PF", "Pf", "PH", "Ph"].contains(mark) else { return nil }
        var words = lines.next()?.split(separator: " ") ?? []
        let isByPhotoshop = words.count == 1
        if isByPhotoshop, let line = lines.next() { words.append(line[...]) }
        let sides = words.compactMap { Int($0) }
        guard words.count == 2, sides.count == 2, sides.allSatisfy({ (1...(1 << 24)).contains($0) }),
            let scale = lines.next().flatMap(Double.init)
        else { return nil }
        (self.bytes, start) = (bytes, lines.place)
        (channels, step) = (["PF", "PH"].contains(mark) ? 3 : 1, ["PF", "Pf"].contains(mark) ? 4 : 2)
        (width, height, isBigEndian) = (sides[0], sides[1], scale > 0)
        orientation = isByPhotoshop ? .upright : Orientation(rotation: 180, isMirrored: true)
    }

    /// Reads the rows in the file's order, and stops where the file ends.
    package func eachRow(_ use: (_ y: Int, _ light: UnsafeBufferPointer<Float>) -> Void) {
        var light = [Float](repeating: 0, count: width * 3)
        let length = width * channels * step
        for y in 0..<height where start + (y + 1) * length <= bytes.count {
            let row = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[(start + y * length)...])
            for index in 0..<width * 3 {
                light[index] = sample(row, at: index / (4 - channels) * step)
            }
            light.withUnsafeBufferPointer { use(y, $0) }
        }
    }

    private func sample(_ row: UnsafeRawBufferPointer, at place: Int) -> Float {
        if step == 2 {
            let coded = row.loadUnaligned(fromByteOffset: place, as: UInt16.self)
            return Float(Float16(bitPattern: isBigEndian ? coded.byteSwapped : coded))
        }
        let coded = row.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        return Float(bitPattern: isBigEndian ? coded.byteSwapped : coded)
    }
}
