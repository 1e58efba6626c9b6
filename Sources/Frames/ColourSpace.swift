import CFFmpeg

/// The primaries as points in the CIE 1931 diagram; white is D65.
package struct ColourSpace: Hashable {
    struct Place: Hashable {
        let x: Double
        let y: Double
    }

    let red: Place
    let green: Place
    let blue: Place
    /// `nil` for sRGB's curve, with which screens show video of any standard.
    var gamma: Double?

    /// SMPTE EG 432-1 (Display P3).
    static let displayP3 = ColourSpace(
        red: Place(x: 0.680, y: 0.320), green: Place(x: 0.265, y: 0.690), blue: Place(x: 0.150, y: 0.060))
    /// ITU-R BT.2020.
    static let bt2020 = ColourSpace(
        red: Place(x: 0.708, y: 0.292), green: Place(x: 0.170, y: 0.797), blue: Place(x: 0.131, y: 0.046))
    /// Adobe RGB (1998), 4.3.
    package static let adobeRGB = ColourSpace(
        red: Place(x: 0.640, y: 0.330), green: Place(x: 0.210, y: 0.710), blue: Place(x: 0.150, y: 0.060),
        gamma: 563.0 / 256)

    /// ITU-R BT.709 and sRGB.
    package static let standard = ColourSpace(
        red: Place(x: 0.640, y: 0.330), green: Place(x: 0.300, y: 0.600), blue: Place(x: 0.150, y: 0.060))

    /// The space of coded primaries; `nil` for those of sRGB, and for those that no camera uses.
    init?(_ primaries: AVColorPrimaries) {
        switch primaries {
        case AVCOL_PRI_SMPTE432, AVCOL_PRI_SMPTE431: self = .displayP3
        case AVCOL_PRI_BT2020: self = .bt2020
        default: return nil
        }
    }

    /// The space of the points that a file states; `nil` if they form no triangle.
    package init?(red: (x: Float, y: Float), green: (x: Float, y: Float), blue: (x: Float, y: Float)) {
        let places = [red, green, blue].map { Place(x: Double($0.x), y: Double($0.y)) }
        guard places.allSatisfy({ abs($0.x) <= 2 && abs($0.y) <= 2 }) else { return nil }
        let (across, up) = (places.map { $0.x - places[0].x }, places.map { $0.y - places[0].y })
        guard abs(across[1] * up[2] - across[2] * up[1]) > 0.01 else { return nil }
        self.init(red: places[0], green: places[1], blue: places[2])
    }

    private init(red: Place, green: Place, blue: Place, gamma: Double? = nil) {
        (self.red, self.green, self.blue, self.gamma) = (red, green, blue, gamma)
    }
}

extension ColourSpace {
    /// The matrix from linear red, green and blue of this space to those of sRGB, row by row.
    var toStandard: [Double] { Self.product(Self.inverse(Self.standard.toXYZ), toXYZ) }

    /// The shares of red, green and blue in brightness.
    package var luminance: [Double] { Array(toXYZ[3..<6]) }

    /// The matrix to CIE XYZ, in which equal parts give D65 (SMPTE RP 177, 3.3).
    private var toXYZ: [Double] {
        let places = [red, green, blue]
        let columns: [[Double]] = places.map { [$0.x, $0.y, 1 - $0.x - $0.y] }
        let plain: [Double] = (0..<3).flatMap { row in columns.map { $0[row] } }
        let inverse = Self.inverse(plain)
        let white: [Double] = [0.3127 / 0.3290, 1, 0.3583 / 0.3290]
        let shares = (0..<3).map { (row: Int) -> Double in
            let first = inverse[row * 3] * white[0] + inverse[row * 3 + 1] * white[1]
            return first + inverse[row * 3 + 2] * white[2]
        }
        return (0..<9).map { plain[$0] * shares[$0 % 3] }
    }

    private static func product(_ left: [Double], _ right: [Double]) -> [Double] {
        (0..<9).map { (at: Int) -> Double in
            let (row, column) = (at / 3 * 3, at % 3)
            let first = left[row] * right[column] + left[row + 1] * right[3 + column]
            return first + left[row + 2] * right[6 + column]
        }
    }

    /// By cofactors.
    private static func inverse(_ m: [Double]) -> [Double] {
        func minor(_ row: Int, _ column: Int) -> Double {
            let (r, s) = ((row + 1) % 3 * 3, (row + 2) % 3 * 3)
            let (c, d) = ((column + 1) % 3, (column + 2) % 3)
            return m[r + c] * m[s + d] - m[r + d] * m[s + c]
        }
        let determinant: Double = (0..<3).map { m[$0] * minor(0, $0) }.reduce(0, +)
        return (0..<9).map { minor($0 % 3, $0 / 3) / determinant }
    }
}
