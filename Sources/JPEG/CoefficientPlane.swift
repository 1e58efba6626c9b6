/// What is kept of one component of a progressive JPEG until its last scan.
///
/// For each block the coefficients that the smaller picture needs, two bytes each, and if a refinement asks for it, one
/// bit for each of the 64 that tells whether it is zero.
struct CoefficientPlane {
    /// Blocks in a row, with those beyond the picture that complete a unit.
    let columns: Int
    /// Rows of blocks, likewise.
    let rows: Int
    /// Blocks across and down that the component's own size needs; scans of it alone have no others (T.81, A.2.2).
    let own: (across: Int, down: Int)
    /// Which coefficients of each block are kept.
    let kept: Kept
    /// Block after block, in memory that the decoder owns.
    private let coefficients: UnsafeMutablePointer<Int16>
    /// A bit for each coefficient that is not zero, likewise; `nil` if nothing asks for it.
    private let marks: UnsafeMutablePointer<UInt64>?

    /// Which coefficients of a block are kept, and where.
    struct Kept {
        /// Along each side: 1, 2 or 4.
        let side: Int
        /// A bit for each, in stored order.
        let mask: UInt64
        /// The place of each of the 64 among those that are kept; 255 for the others.
        let places: [UInt8]

        init(side: Int) {
            let places = (0..<64).map { index -> UInt8 in
                let slot = Int(Block.slots[index])
                return slot < 16 && slot & 3 < side && slot >> 2 < side ? UInt8((slot >> 2) * side + slot & 3) : 255
            }
            (self.side, self.places) = (side, places)
            mask = places.indices.reduce(0) { $0 | (places[$1] < 255 ? 1 << UInt64($1) : 0) }
        }

        var count: Int { side * side }
    }

    init(
        _ component: JPEGScan.Component, in scan: JPEGScan, kept: Kept, coefficients: UnsafeMutablePointer<Int16>,
        marks: UnsafeMutablePointer<UInt64>?
    ) {
        (columns, rows) = (scan.units.across * component.across, scan.units.down * component.down)
        own = (
            (scan.width * component.across + 8 * scan.unit.across - 1) / (8 * scan.unit.across),
            (scan.height * component.down + 8 * scan.unit.down - 1) / (8 * scan.unit.down)
        )
        (self.kept, self.coefficients, self.marks) = (kept, coefficients, marks)
    }

    /// What is kept of one block.
    @inline(__always) func block(row: Int, column: Int) -> KeptBlock {
        let at = row &* columns &+ column
        return KeptBlock(coefficients: coefficients + at &* kept.count, mark: marks.map { $0 + at })
    }

    /// Writes the samples of all blocks.
    ///
    /// - Parameter plane: Room for `columns` by `rows` blocks of as many samples as are kept.
    func write(
        to plane: UnsafeMutablePointer<UInt8>, stride: Int, quantizer: [Int32], waves: UnsafeMutablePointer<Float>
    ) {
        let side = kept.side
        // What each coefficient is multiplied by, and its slot.
        var steps = [(slot: UInt8, factor: Int32)](repeating: (0, 0), count: kept.count)
        for (index, place) in kept.places.enumerated() where place < 255 {
            steps[Int(place)] = (Block.slots[index], quantizer[index])
        }
        for row in 0..<rows {
            for column in 0..<columns {
                let coefficients = block(row: row, column: column).coefficients
                let block = Block(waves, side: side)
                for place in 0..<kept.count {
                    block.set(steps[place].slot, Int32(coefficients[place]) &* steps[place].factor)
                }
                block.write(to: plane + (row &* stride &+ column) &* side, stride: stride, side: side)
            }
        }
    }
}

/// What is kept of one block.
struct KeptBlock {
    let coefficients: UnsafeMutablePointer<Int16>
    /// A bit for each coefficient that is not zero; `nil` if nothing asks for it.
    let mark: UnsafeMutablePointer<UInt64>?
}
