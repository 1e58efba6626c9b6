/// Reads a scan of means (ITU-T T.81, G.1.2.1).
struct MeanReader {
    private var bits: JPEGBits
    private let low: Int32
    private let lanes: [Lane]

    /// One component of the scan.
    private struct Lane {
        let component: Int
        /// `nil` for a refinement, which has no codes.
        let codes: JPEGCodes?
        /// Blocks of it in one unit.
        let across: Int
        let down: Int
    }

    /// `nil` if a table is missing.
    init?(_ bits: JPEGBits, _ scan: ProgressiveScan, _ headers: JPEGScan) {
        (self.bits, low) = (bits, scan.low)
        var lanes: [Lane] = []
        for part in scan.parts {
            let codes = scan.isRefinement ? nil : headers.dcCodes[part.dcCodes]
            guard scan.isRefinement || codes != nil else { return nil }
            let component = headers.components[part.component]
            // Alone, a component has one block a unit (T.81, A.2.2).
            let isAlone = scan.parts.count == 1
            lanes.append(
                Lane(
                    component: part.component, codes: codes, across: isAlone ? 1 : component.across,
                    down: isAlone ? 1 : component.down))
        }
        self.lanes = lanes
    }

    /// Reads all units; `false` if the bits are damaged.
    ///
    /// - Parameter units: Across and down, of the picture or of a component alone.
    /// - Parameter interval: Units between restart markers; 0 for none.
    mutating func read(into planes: [CoefficientPlane], units: (across: Int, down: Int), interval: Int) -> Bool {
        var last = [Int32](repeating: 0, count: lanes.count)
        var restarts = RestartCount(every: interval)
        for row in 0..<units.down {
            for column in 0..<units.across {
                if restarts.isDue() {
                    guard bits.restart() else { return false }
                    for place in last.indices { last[place] = 0 }
                }
                for (place, lane) in lanes.enumerated() {
                    for y in 0..<lane.down {
                        for x in 0..<lane.across {
                            let block = planes[lane.component].block(
                                row: row &* lane.down &+ y, column: column &* lane.across &+ x)
                            guard read(&block.coefficients.pointee, lane.codes, &last[place]) else { return false }
                        }
                    }
                }
            }
            if bits.isOverrun { return false }
        }
        return true
    }

    /// Reads one mean: its higher bits as a difference, or one more bit of it.
    @inline(__always)
    private mutating func read(_ mean: inout Int16, _ codes: JPEGCodes?, _ last: inout Int32) -> Bool {
        guard let codes else {
            bits.fill()
            if bits.number(1) == 1 { mean |= Int16(truncatingIfNeeded: 1 &<< low) }
            return true
        }
        guard let entry = bits.entry(codes), entry.symbol <= 11 else { return false }
        last = last &+ bits.value(after: entry)
        mean = Int16(truncatingIfNeeded: last &<< low)
        return true
    }
}
