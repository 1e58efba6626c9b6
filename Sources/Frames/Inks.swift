extension UnsafeMutablePointer<UInt8> {
    /// Writes the light that `count` pixels of four inks reflect: by their profile, or else as on coated paper.
    package func paintInks(
        _ count: Int, by transform: borrowing ColourTransform?, into target: UnsafeMutablePointer<UInt8>
    ) {
        switch transform {
        case .some(let transform): transform.apply(self, to: target, count: count)
        case nil: for pixel in 0..<count { CoatedPaper.print(self + pixel &* 4, into: target + pixel &* 3) }
        }
    }
}

/// The colours of four inks whose profile is not known, on the coated paper for which most pictures in inks are made.
///
/// Between the colours of the sixteen combinations of full inks all others are interpolated (Neugebauer's equations). In
/// sRGB, whose steps are even to the eye, this comes within 5 of 255 of a profile for such paper, as the growth of
/// printed dots makes up for the rest; the product of what each ink leaves is 25 away.
private enum CoatedPaper {
    /// Red, green and blue of each combination: bit 0 of its number is cyan, then magenta, yellow and black.
    ///
    /// Measured with a profile for ISO 12647-2 paper and inks, relative to the white of the paper.
    private static let red = SIMD16<Float>(255, 0, 234, 48, 255, 0, 232, 48, 41, 22, 40, 25, 40, 22, 43, 33)
    private static let green = SIMD16<Float>(255, 156, 23, 36, 240, 143, 31, 39, 35, 31, 24, 25, 35, 26, 27, 33)
    private static let blue = SIMD16<Float>(255, 228, 133, 123, 0, 63, 42, 55, 43, 42, 40, 37, 37, 35, 40, 44)

    /// Writes red, green and blue of one pixel; `inks` are cyan, magenta, yellow and black, 255 for full ink.
    @inline(__always)
    static func print(_ inks: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>) {
        let shares = SIMD4<Float>(Float(inks[0]), Float(inks[1]), Float(inks[2]), Float(inks[3])) / 255
        target[0] = mixed(red, shares)
        target[1] = mixed(green, shares)
        target[2] = mixed(blue, shares)
    }

    @inline(__always)
    private static func mixed(_ corners: SIMD16<Float>, _ shares: SIMD4<Float>) -> UInt8 {
        let byBlack = corners.lowHalf + (corners.highHalf - corners.lowHalf) * shares[3]
        let byYellow = byBlack.lowHalf + (byBlack.highHalf - byBlack.lowHalf) * shares[2]
        let byMagenta = byYellow.lowHalf + (byYellow.highHalf - byYellow.lowHalf) * shares[1]
        return UInt8(byMagenta[0] + (byMagenta[1] - byMagenta[0]) * shares[0] + 0.5)
    }
}
