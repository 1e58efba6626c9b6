/// Pixels to draw on; places and sizes of shapes are shares of the canvas's width and height.
struct Canvas {
    let pixels: UnsafeMutableBufferPointer<UInt8>
    let width: Int
    let height: Int

    func set(_ x: Int, _ y: Int, _ colour: Colour) {
        let at = (y * width + x) * 3
        pixels[at] = UInt8(clamping: colour.red)
        pixels[at + 1] = UInt8(clamping: colour.green)
        pixels[at + 2] = UInt8(clamping: colour.blue)
    }

    /// Draws a disc, which is round because its radius is a share of the shorter side.
    func disc(x: Double, y: Double, radius: Double, _ colour: Colour, isShaded: Bool) {
        let (centreX, centreY) = (Int(x * Double(width)), Int(y * Double(height)))
        let reach = max(1, Int(radius * Double(min(width, height))))
        for row in max(0, centreY - reach)..<max(0, min(height, centreY + reach)) {
            for column in max(0, centreX - reach)..<max(0, min(width, centreX + reach)) {
                let (right, down) = (column - centreX, row - centreY)
                guard right * right + down * down < reach * reach else { continue }
                set(column, row, isShaded ? colour.darker(by: (right + down) * 60 / reach) : colour)
            }
        }
    }

    func box(x: Double, y: Double, width share: Double, height depth: Double, _ colour: Colour) {
        let columns = Int(x * Double(width))..<max(Int(x * Double(width)) + 1, Int((x + share) * Double(width)))
        for row in Int(y * Double(height))..<Int((y + depth) * Double(height)) {
            for column in columns where column < width { set(column, row, colour) }
        }
    }

    /// Draws a triangle whose tip points to the right.
    func pennant(x: Double, y: Double, width share: Double, height depth: Double, _ colour: Colour) {
        let (left, top) = (Int(x * Double(width)), Int(y * Double(height)))
        let (long, tall) = (Int(share * Double(width)), max(2, Int(depth * Double(height))))
        for row in 0..<tall {
            let length = long * (tall - abs(2 * row - tall)) / tall
            for column in 0..<length { set(min(width - 1, left + column), min(height - 1, top + row), colour) }
        }
    }

    /// A number from 0 to 15 for a pixel of rock, in rough patches that are larger in front.
    func texture(_ x: Int, _ y: Int, scale: Int) -> Int {
        let size = max(1, width / (800 >> scale))
        return Int(Self.noise(UInt32(truncatingIfNeeded: x / size), UInt32(truncatingIfNeeded: y / size)) & 15)
    }

    /// Adds noise to every pixel and dims the picture.
    ///
    /// - Parameter light: The brightness in 256ths.
    /// - Parameter grain: The noise's greatest step up or down; a power of two, or 0.
    func light(_ light: Int, grain: Int, seed: UInt64) {
        guard light != 256 || grain > 0 else { return }
        let mask = UInt32(max(1, 2 * grain) - 1)
        let noise = (0..<1 << 14).map {
            Int(Self.noise(UInt32($0), UInt32(truncatingIfNeeded: seed)) & mask) &- grain
        }
        noise.withUnsafeBufferPointer { noise in
            for y in 0..<height {
                // Each row begins at a different place in the noise, so that no pattern repeats visibly.
                var at = Int(Self.noise(UInt32(y), UInt32(truncatingIfNeeded: seed))) & 0x3FFF
                for pixel in stride(from: y * width * 3, to: (y + 1) * width * 3, by: 3) {
                    at = (at &+ 1) & 0x3FFF
                    for channel in pixel..<pixel + 3 {
                        pixels[channel] = UInt8(clamping: ((Int(pixels[channel]) &+ noise[at]) &* light) >> 8)
                    }
                }
            }
        }
    }

    private static func noise(_ x: UInt32, _ y: UInt32) -> UInt32 {
        var mixed = x &* 0x85EB_CA6B ^ y &* 0xC2B2_AE35
        mixed = (mixed ^ mixed >> 15) &* 0x2C1B_3C6D
        return mixed ^ mixed >> 13
    }
}
