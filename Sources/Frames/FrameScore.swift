/// How well a frame represents its video; measured on a copy of about 160 pixels.
package struct FrameScore: Hashable {
    /// Standard deviation of brightness, 0 to 127: near 0 in black, white and fades.
    let contrast: Double
    /// Mean brightness, 0 to 255.
    let brightness: Double
    /// Mean difference between neighbours, 0 to 255: low when blurred.
    let sharpness: Double
    /// Mean distance between the channels of a pixel, 0 to 255.
    let colour: Double

    /// The score of a small copy of the frame.
    package init(_ bitmap: Bitmap) {
        let luma = Self.luma(bitmap.rgb)
        let count = Double(max(1, luma.count))
        let mean = Double(luma.reduce(0, +)) / count
        let squares = luma.reduce(0.0) { (sum: Double, value: Int) in
            let distance = Double(value) - mean
            return sum + distance * distance
        }
        brightness = mean
        contrast = (squares / count).squareRoot()
        sharpness = Self.meanStep(luma, width: bitmap.width, height: bitmap.height)
        colour = Self.meanColour(bitmap.rgb) / count
    }

    /// Whether it shows something at all: neither black, nor white, nor one flat colour.
    package var isMeaningful: Bool { hasContrast && brightness > 12 && brightness < 243 }

    /// Whether it is not of one flat colour, however dark or pale it is.
    package var hasContrast: Bool { contrast >= 10 }

    /// Higher is better; contrast counts most, because fades and dark scenes lack it.
    package var value: Double {
        let mediumLight = 1 - abs(brightness - 120) / 135
        return min(contrast / 60, 1) * 4 + min(sharpness / 20, 1) * 2 + min(colour / 60, 1) + max(mediumLight, 0) * 2
    }

    /// BT.601 brightness of each pixel, 0 to 255.
    private static func luma(_ rgb: [UInt8]) -> [Int] {
        stride(from: 0, to: rgb.count, by: 3).map { (at: Int) -> Int in
            let red = 77 * Int(rgb[at])
            let green = 150 * Int(rgb[at + 1])
            let blue = 29 * Int(rgb[at + 2])
            return (red + green + blue) >> 8
        }
    }

    private static func meanStep(_ luma: [Int], width: Int, height: Int) -> Double {
        guard width > 1, height > 1 else { return 0 }
        var sum = 0
        for y in 0..<height - 1 {
            for x in 0..<width - 1 {
                let at = y * width + x
                sum += abs(luma[at] - luma[at + 1]) + abs(luma[at] - luma[at + width])
            }
        }
        return Double(sum) / Double(2 * (width - 1) * (height - 1))
    }

    private static func meanColour(_ rgb: [UInt8]) -> Double {
        stride(from: 0, to: rgb.count, by: 3).reduce(0.0) { sum, at in
            let (red, green, blue) = (rgb[at], rgb[at + 1], rgb[at + 2])
            return sum + Double(max(red, green, blue) - min(red, green, blue))
        }
    }
}
