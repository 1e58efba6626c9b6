/// The header of one scan of a progressive JPEG (ITU-T T.81, B.2.3 and G.1.1.1).
struct ProgressiveScan {
    /// One component of the scan.
    struct Part {
        /// Its index among those of the picture.
        let component: Int
        /// The numbers of its tables.
        let dcCodes: Int
        let acCodes: Int
    }

    let parts: [Part]
    /// The coefficients that it holds, in stored order; the mean is in none but scans of its own.
    let band: ClosedRange<Int>
    /// The number of lower bits that are left to later scans.
    let low: Int32
    /// Whether it adds one bit to what earlier scans hold.
    let isRefinement: Bool

    /// `nil` if it is damaged.
    init?(_ content: UnsafeBufferPointer<UInt8>.SubSequence, of components: [JPEGScan.Component]) {
        let content = Array(content.prefix(16))
        // A scan without components is refused, because it costs no bits: a file could have many of them.
        guard let count = content.first.map(Int.init), count > 0, count <= components.count,
            content.count == 4 + 2 * count
        else { return nil }
        var parts: [Part] = []
        for place in 0..<count {
            let (id, tables) = (content[1 + 2 * place], content[2 + 2 * place])
            guard let index = components.firstIndex(where: { $0.id == id }) else { return nil }
            parts.append(Part(component: index, dcCodes: Int(tables >> 4) & 3, acCodes: Int(tables & 3)))
        }
        let (first, last) = (Int(content[1 + 2 * count]), Int(content[2 + 2 * count]))
        let (high, low) = (content[3 + 2 * count] >> 4, content[3 + 2 * count] & 15)
        guard first <= last, last < 64, first > 0 || last == 0, first == 0 || count == 1, low <= 13,
            high == 0 || high == low + 1
        else { return nil }
        (self.parts, band, self.low, isRefinement) = (parts, first...last, Int32(low), high > 0)
    }

    /// Whether it holds means alone.
    var isOfMeans: Bool { band.lowerBound == 0 }

    /// Its coefficients, a bit each.
    var mask: UInt64 { UInt64.coefficients(from: band.lowerBound, to: band.upperBound + 1) }
}

extension UInt64 {
    /// A bit for each coefficient from `start` on, `end` not included; 0 to 64.
    @inline(__always) static func coefficients(from start: Int, to end: Int) -> UInt64 {
        guard start < end else { return 0 }
        return (~0 &<< UInt64(start)) & (~0 &>> UInt64(64 &- end))
    }
}
