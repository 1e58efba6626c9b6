/// Reads a scan of one component's coefficients other than the means (ITU-T T.81, G.1.2.2 and G.1.2.3).
struct BandReader {
    private var bits: JPEGBits
    private let codes: JPEGCodes
    private let first: Int
    private let last: Int
    private let low: Int32
    private let isRefinement: Bool
    /// A bit for each coefficient that is kept.
    private let mask: UInt64
    /// Of the 64 coefficients, the place of each among those that are kept; 255 for the others.
    private let places: [UInt8]
    /// How many blocks, from the next one on, hold nothing more.
    private var ended = 0

    init(_ bits: JPEGBits, _ codes: JPEGCodes, _ scan: ProgressiveScan, _ kept: CoefficientPlane.Kept) {
        (self.bits, self.codes) = (bits, codes)
        (first, last, low, isRefinement) = (scan.band.lowerBound, scan.band.upperBound, scan.low, scan.isRefinement)
        (mask, places) = (kept.mask, kept.places)
    }

    /// Reads all blocks; `false` if the bits are damaged.
    ///
    /// - Parameter interval: Blocks between restart markers; 0 for none.
    mutating func read(into plane: CoefficientPlane, interval: Int) -> Bool {
        var restarts = RestartCount(every: interval)
        for row in 0..<plane.own.down {
            for column in 0..<plane.own.across {
                if restarts.isDue() {
                    guard bits.restart() else { return false }
                    ended = 0
                }
                let block = plane.block(row: row, column: column)
                guard isRefinement ? refine(block) : read(block) else { return false }
            }
            if bits.isOverrun { return false }
        }
        return true
    }

    /// Reads the higher bits of a block.
    @inline(__always)
    private mutating func read(_ block: KeptBlock) -> Bool {
        guard ended == 0 else {
            ended &-= 1
            return true
        }
        // A local copy stays in registers.
        var bits = bits
        defer { self.bits = bits }
        var (index, found) = (first, UInt64(0))
        while index <= last {
            guard let entry = bits.entry(codes) else { return false }
            let run = Int(entry.symbol >> 4)
            if entry.symbol & 15 == 0 {
                bits.skip(Int(entry.length))
                if run < 15 {
                    ended = (1 &<< run) &- 1 &+ bits.number(run)
                    break
                }
                index &+= 16
                continue
            }
            index &+= run
            guard index <= last else { return false }
            store(bits.value(after: entry) &<< low, index, block)
            found |= 1 &<< UInt64(index)
            index &+= 1
        }
        block.mark?.pointee |= found
        return true
    }

    /// Reads one more bit of each coefficient of a block that is not zero, and those that become 1 or -1 by it.
    @inline(__always)
    private mutating func refine(_ block: KeptBlock) -> Bool {
        guard let mark = block.mark else { return false }
        var bits = bits
        defer { self.bits = bits }
        let old = mark.pointee
        var index = first
        while ended == 0, index <= last {
            guard let entry = bits.entry(codes) else { return false }
            bits.skip(Int(entry.length))
            let (run, size) = (Int(entry.symbol >> 4), Int(entry.symbol & 15))
            if size == 0, run < 15 {
                ended = (1 &<< run) &+ bits.number(run)
                break
            }
            guard size <= 1 else { return false }
            let value: Int32 = size == 0 ? 0 : bits.number(1) == 0 ? -1 : 1
            // The coefficient that is still zero and comes after `run` others; 64 if there is none.
            var zeros = ~old & UInt64.coefficients(from: index, to: last &+ 1)
            for _ in 0..<run { zeros &= zeros &- 1 }
            let place = zeros.trailingZeroBitCount
            correct(&bits, old & UInt64.coefficients(from: index, to: min(place, last &+ 1)), block)
            if size == 1 {
                guard place < 64 else { return false }
                store(value &<< low, place, block)
                mark.pointee |= 1 &<< UInt64(place)
            }
            index = place &+ 1
        }
        if ended > 0 {
            correct(&bits, old & UInt64.coefficients(from: index, to: last &+ 1), block)
            ended &-= 1
        }
        return true
    }

    /// Stores a coefficient, if it is one of those kept; of a damaged one the lower 16 bits.
    @inline(__always)
    private func store(_ value: Int32, _ index: Int, _ block: KeptBlock) {
        let place = places[index]
        if place < 255 { block.coefficients[Int(place)] = Int16(truncatingIfNeeded: value) }
    }

    /// Reads a bit for each of the coefficients `which`, and adds it to those that are kept.
    @inline(__always)
    private func correct(_ bits: inout JPEGBits, _ which: UInt64, _ block: KeptBlock) {
        var rest = which
        while rest & mask != 0 {
            let place = Int(places[rest.trailingZeroBitCount])
            rest &= rest &- 1
            bits.fill()
            guard bits.number(1) == 1, place < 255 else { continue }
            let step = Int16(truncatingIfNeeded: 1 &<< low)
            let old = block.coefficients[place]
            block.coefficients[place] = old < 0 ? old &- step : old &+ step
        }
        bits.pass(rest.nonzeroBitCount)
    }
}
