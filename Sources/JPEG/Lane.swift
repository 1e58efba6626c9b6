/// Decodes one component of a JPEG into a plane of samples.
struct Lane {
    private let dcCodes: JPEGCodes
    private let acCodes: JPEGCodes
    private let quantizer: [Int32]
    private let slots = Block.slots
    /// The last coefficient, in stored order, that matters.
    private let last: Int
    private let across: Int
    private let down: Int
    private let plane: UnsafeMutablePointer<UInt8>
    private let stride: Int
    private let side: Int
    /// Memory for the coefficients of one block, owned by the decoder.
    private let waves: UnsafeMutablePointer<Float>
    /// The DC coefficient of the previous block; the next one is coded as a difference from it.
    var lastMean: Int32 = 0

    init?(
        _ component: JPEGScan.Component, _ scan: JPEGScan, data: UnsafeMutablePointer<UInt8>, stride: Int, side: Int,
        waves: UnsafeMutablePointer<Float>
    ) {
        guard let dcCodes = scan.dcCodes[component.dcCodes], let acCodes = scan.acCodes[component.acCodes],
            let quantizer = scan.quantizers[component.quantizer]
        else { return nil }
        (self.dcCodes, self.acCodes, self.quantizer) = (dcCodes, acCodes, quantizer)
        (across, down) = (component.across, component.down)
        (plane, self.stride, self.side) = (data, stride, side)
        self.waves = waves
        last = Block.lastNeeded[side]
    }

    /// Decodes the unit's blocks of this component; `false` if the bits match no code.
    mutating func decodeUnit(_ bits: inout JPEGBits, column: Int, row: Int) -> Bool {
        for y in 0..<down {
            for x in 0..<across {
                let block = Block(waves, side: side)
                guard decodeBlock(&bits, block) else { return false }
                let left = (column &* across &+ x) &* side
                let top = (row &* down &+ y) &* side
                block.write(to: plane + (top &* stride &+ left), stride: stride, side: side)
            }
        }
        return true
    }

    /// T.81, F.2.2: the mean, then runs of zeros with the value after each.
    @inline(__always)
    private mutating func decodeBlock(_ shared: inout JPEGBits, _ block: Block) -> Bool {
        // A local copy stays in registers.
        var bits = shared
        defer { shared = bits }
        guard let mean = bits.entry(dcCodes), mean.symbol <= 11 else { return false }
        lastMean = lastMean &+ bits.value(after: mean)
        block.set(0, lastMean &* quantizer[0])
        var index = 1
        while index <= last {
            guard let entry = bits.entry(acCodes) else { return false }
            index &+= Int(entry.advance)
            let value = bits.value(after: entry)
            guard index <= 64 else { return index > Int(JPEGCodes.Entry.endOfBlock) }
            block.set(slots[index &- 1], value &* quantizer[index &- 1])
        }
        return skipRest(&bits, from: index)
    }

    /// Skips the coefficients that are not needed, without computing their values.
    @inline(__always)
    private func skipRest(_ bits: inout JPEGBits, from start: Int) -> Bool {
        var index = start
        while index < 64 {
            bits.fill()
            let run = acCodes.runs.withUnsafeBufferPointer { $0[bits.peek(JPEGCodes.runBits)] }
            let next = index &+ Int(run.advance)
            if run.total > 0, next < 64 || (next == 64 && !run.isEnd) {
                bits.skip(Int(run.total))
                if run.isEnd { return true }
                index = next
            } else {
                guard let entry = bits.entry(acCodes) else { return false }
                bits.skip(Int(entry.total))
                index &+= Int(entry.advance)
            }
        }
        return index == 64 || index > Int(JPEGCodes.Entry.endOfBlock)
    }
}
