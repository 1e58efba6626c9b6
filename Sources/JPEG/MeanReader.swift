/// Reads a scan of means (ITU-T T.81, G.1.2.1).
struct MeanReader {
    private var bits: JPEGBits
    private var lanes: [MeanLane]
    /// Across and down, of the picture or of a component alone.
    private let units: (across: Int, down: Int)

    /// `nil` if a table is missing.
    init?(_ bits: JPEGBits, _ scan: ProgressiveScan, _ headers: JPEGScan, into planes: [CoefficientPlane]) {
        self.bits = bits
        // Alone, a component has one block a unit (T.81, A.2.2).
        let isAlone = scan.parts.count == 1
        units = isAlone ? planes[scan.parts[0].component].own : headers.units
        lanes = []
        for part in scan.parts {
            guard let codes = scan.isRefinement ? JPEGCodes.empty : headers.dcCodes[part.dcCodes] else { return nil }
            let component = headers.components[part.component]
            lanes.append(
                MeanLane(
                    plane: planes[part.component], codes: codes, isRefinement: scan.isRefinement, low: scan.low,
                    across: isAlone ? 1 : component.across, down: isAlone ? 1 : component.down))
        }
    }

    /// Reads all units; `false` if the bits are damaged.
    ///
    /// - Parameter interval: Units between restart markers; 0 for none.
    mutating func read(interval: Int) -> Bool {
        // A local copy stays in registers.
        var bits = bits
        defer { self.bits = bits }
        var restarts = RestartCount(every: interval)
        for row in 0..<units.down {
            for column in 0..<units.across {
                if restarts.isDue() {
                    guard bits.restart() else { return false }
                    for index in lanes.indices { lanes[index].last = 0 }
                }
                // By its index, a lane is used where it lies; a copy of it would count its tables' owners in each unit.
                for index in lanes.indices {
                    guard lanes[index].readUnit(&bits, column: column, row: row) else { return false }
                }
            }
            if bits.isOverrun { return false }
        }
        return true
    }
}

/// One component of a scan of means.
private struct MeanLane {
    let plane: CoefficientPlane
    let codes: JPEGCodes
    let isRefinement: Bool
    let low: Int32
    /// Blocks of it in one unit.
    let across: Int
    let down: Int
    /// The mean before; the next one is coded as a difference from it.
    var last: Int32 = 0

    /// Reads the unit's means of this component; `false` if the bits match no code.
    mutating func readUnit(_ bits: inout JPEGBits, column: Int, row: Int) -> Bool {
        for y in 0..<down {
            for x in 0..<across {
                let block = plane.block(row: row &* down &+ y, column: column &* across &+ x)
                guard isRefinement ? refine(&bits, block) : read(&bits, block) else { return false }
            }
        }
        return true
    }

    /// Reads the higher bits of one mean, as a difference.
    @inline(__always)
    private mutating func read(_ bits: inout JPEGBits, _ block: KeptBlock) -> Bool {
        guard let entry = bits.entry(codes), entry.symbol <= 11 else { return false }
        last = last &+ bits.value(after: entry)
        block.coefficients.pointee = Int16(truncatingIfNeeded: last &<< low)
        return true
    }

    /// Reads one more bit of a mean.
    @inline(__always)
    private func refine(_ bits: inout JPEGBits, _ block: KeptBlock) -> Bool {
        bits.fill()
        if bits.number(1) == 1 { block.coefficients.pointee |= Int16(truncatingIfNeeded: 1 &<< low) }
        return true
    }
}

extension JPEGCodes {
    /// The table of a refinement, which has no codes.
    fileprivate static let empty = JPEGCodes(counts: [UInt8](repeating: 0, count: 16), symbols: [])
}
