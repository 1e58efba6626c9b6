import CFFmpeg

extension Frame {
    /// The mean difference of a colour sample from its neighbours' mean up to which halving is invisible in a drawing.
    private static let bearableLoss = 1.0
    /// The least share of a drawing's pixels that have its 16 most frequent colours; photos mostly have less than half.
    private static let drawingShare = 0.75

    /// The most pixels of an icon; its colours are not worth saving bytes on.
    private static let iconPixels = 4096

    /// Whether a YUVJ444P frame is an icon, or a drawing in few colours, which would bleed in half the size.
    ///
    /// Halving also changes the texture of photos, but invisibly, and whole colours would cost a third more bytes.
    var needsWholeColours: Bool {
        guard let light = pointer.pointee.data.0, let blue = pointer.pointee.data.1, let red = pointer.pointee.data.2,
            width > 1 || height > 1
        else { return false }
        let rows = (Int(pointer.pointee.linesize.1), Int(pointer.pointee.linesize.2))
        let sum = loss(blue, row: rows.0) + loss(red, row: rows.1)
        let squares = ((width + 1) / 2) * ((height + 1) / 2)
        guard Double(sum) / Double(squares * 4) > Self.bearableLoss else { return false }
        guard width * height > Self.iconPixels else { return true }
        var counts = [Int](repeating: 0, count: 1 << 15)
        for y in 0..<height {
            let (first, second, third) = (
                light + y * Int(pointer.pointee.linesize.0), blue + y * rows.0, red + y * rows.1
            )
            for x in 0..<width {
                counts[Int(first[x] >> 3) << 10 | Int(second[x] >> 3) << 5 | Int(third[x] >> 3)] += 1
            }
        }
        let frequent = counts.filter { $0 * 1000 > width * height }.sorted(by: >).prefix(16).reduce(0, +)
        return Double(frequent) >= Self.drawingShare * Double(width * height)
    }

    /// The sum of the distances of all samples from the mean of their square of four; the edge is repeated.
    private func loss(_ plane: UnsafeMutablePointer<UInt8>, row: Int) -> Int {
        func distances(_ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, _ next: Int) -> Int32 {
            let samples = (Int16(upper[0]), Int16(upper[next]), Int16(lower[0]), Int16(lower[next]))
            let mean = (samples.0 &+ samples.1 &+ samples.2 &+ samples.3 &+ 2) &>> 2
            return Int32(abs(samples.0 &- mean) &+ abs(samples.1 &- mean))
                &+ Int32(abs(samples.2 &- mean) &+ abs(samples.3 &- mean))
        }
        var sum = 0
        for y in stride(from: 0, to: height, by: 2) {
            let upper = UnsafePointer(plane + y * row)
            let lower = UnsafePointer(plane + min(y + 1, height - 1) * row)
            // A whole row in 32 bits, which vector instructions add up.
            var inRow: Int32 = 0
            for square in 0..<width / 2 {
                inRow &+= distances(upper + square &* 2, lower + square &* 2, 1)
            }
            if width % 2 == 1 { inRow &+= distances(upper + (width - 1), lower + (width - 1), 0) }
            sum += Int(inRow)
        }
        return sum
    }
}
