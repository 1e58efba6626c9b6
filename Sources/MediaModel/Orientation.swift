/// How a stored picture must be shown: mirrored left to right first, then turned clockwise.
package struct Orientation: Hashable, Sendable {
    /// Degrees clockwise: 0, 90, 180 or 270.
    package let rotation: Int
    /// Whether the picture is mirrored left to right before it is turned.
    package let isMirrored: Bool

    /// The orientation that changes nothing.
    package static let upright = Orientation(rotation: 0, isMirrored: false)

    /// An orientation; `rotation` must be 0, 90, 180 or 270.
    package init(rotation: Int, isMirrored: Bool) {
        self.rotation = rotation
        self.isMirrored = isMirrored
    }

    /// Whether width and height are exchanged.
    package var swapsSides: Bool { rotation % 180 != 0 }

    /// The orientation that undoes this one; a mirrored one is its own inverse.
    package var inverse: Orientation {
        isMirrored ? self : Orientation(rotation: (360 - rotation) % 360, isMirrored: false)
    }
}

/// EXIF 2.32, 4.6.4, tag 0x0112.
extension Orientation {
    private static let exifOrder = [
        Orientation(rotation: 0, isMirrored: false), Orientation(rotation: 0, isMirrored: true),
        Orientation(rotation: 180, isMirrored: false), Orientation(rotation: 180, isMirrored: true),
        Orientation(rotation: 270, isMirrored: true), Orientation(rotation: 90, isMirrored: false),
        Orientation(rotation: 90, isMirrored: true), Orientation(rotation: 270, isMirrored: false),
    ]

    /// The orientation with this EXIF number, `nil` outside 1 to 8.
    package init?(exif number: Int) {
        guard (1...8).contains(number) else { return nil }
        self = Self.exifOrder[number - 1]
    }

    /// The EXIF number: 1 to 8.
    package var exif: Int {
        (Self.exifOrder.firstIndex(of: self) ?? 0) + 1
    }
}

/// ISO/IEC 14496-12, 6.2.2: the matrix of a track or movie header.
extension Orientation {
    /// The orientation nearest to a 3 × 3 display matrix; upright where `matrix` does not have nine values.
    ///
    /// A point (p, q), q downwards, goes to (a p + c q, b p + d q) with a, b, c, d at 0, 1, 3, 4.
    package init(displayMatrix matrix: [Int32]) {
        guard matrix.count == 9 else {
            self = .upright
            return
        }
        let (a, b, c, d) = (Int(matrix[0]), Int(matrix[1]), Int(matrix[3]), Int(matrix[4]))
        // Mirroring first negates the first column of the rotation, so undo it to read the angle.
        let isMirrored = a * d - b * c < 0
        let (right, down) = isMirrored ? (-a, -b) : (a, b)
        let rotation: Int
        if abs(right) >= abs(down) {
            rotation = right >= 0 ? 0 : 180
        } else {
            rotation = down > 0 ? 90 : 270
        }
        self.init(rotation: rotation, isMirrored: isMirrored)
    }
}
