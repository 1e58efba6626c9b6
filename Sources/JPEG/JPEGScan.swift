import Facts

/// The headers of a JPEG before a scan: size, tables, and layout of the components.
struct JPEGScan {
    struct Component {
        let id: UInt8
        /// Blocks of it in one unit, across and down.
        let across: Int
        let down: Int
        let quantizer: Int
        var dcCodes = 0
        var acCodes = 0
    }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var components: [Component] = []
    /// In the order they are stored.
    private(set) var quantizers = [[Int32]?](repeating: nil, count: 4)
    private(set) var dcCodes = [JPEGCodes?](repeating: nil, count: 4)
    private(set) var acCodes = [JPEGCodes?](repeating: nil, count: 4)
    /// Units between restart markers; 0 for none.
    private(set) var restartInterval = 0
    /// Where the coded bits begin.
    private(set) var start = 0

    /// Without any headers yet.
    init() {}

    /// `nil` for all but plain JPEGs: progressive, 12 bits, several scans, RGB and four components are refused.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        for segment in JPEGSegments(bytes) {
            let content = bytes[segment.content]
            switch segment.marker {
            case 0xC0, 0xC1: guard readFrame(Array(content.prefix(64))) else { return nil }
            case 0xC4, 0xDB, 0xDD: guard readTables(segment.marker, content) else { return nil }
            case 0xEE where Self.hasUnusualColours(content): return nil
            case 0xC2, 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return nil
            case 0xDA:
                start = segment.content.upperBound
                guard readScan(Array(content.prefix(64))), isComplete else { return nil }
                for component in components { acCodes[component.acCodes]?.findRuns() }
                return
            default: break
            }
        }
        return nil
    }

    /// Blocks across and down in one unit.
    var unit: (across: Int, down: Int) {
        (components.map(\.across).max() ?? 1, components.map(\.down).max() ?? 1)
    }

    /// Units across and down.
    var units: (across: Int, down: Int) {
        ((width + 8 * unit.across - 1) / (8 * unit.across), (height + 8 * unit.down - 1) / (8 * unit.down))
    }

    /// Whether an Adobe segment states other colours than brightness and two differences.
    static func hasUnusualColours(_ content: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        content.starts(with: "Adobe".utf8) && content.count >= 12 && content[content.startIndex + 11] != 1
    }

    /// Reads the segment if it holds tables or a restart interval; `false` if it is damaged.
    mutating func readTables(_ marker: UInt8, _ content: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        switch marker {
        case 0xC4: readCodes(Array(content.prefix(4096)))
        case 0xDB: readQuantizers(Array(content.prefix(4096)))
        case 0xDD: readInterval(Array(content.prefix(4096)))
        default: true
        }
    }

    /// T.81, B.2.2.
    mutating func readFrame(_ content: [UInt8]) -> Bool {
        guard components.isEmpty, content.count >= 6, content[0] == 8 else { return false }
        height = Int(content[1]) << 8 | Int(content[2])
        width = Int(content[3]) << 8 | Int(content[4])
        let count = Int(content[5])
        guard width > 0, height > 0, count == 1 || count == 3, content.count >= 6 + 3 * count else { return false }
        components = (0..<count).map { index in
            let at = 6 + 3 * index
            // A single component has one block a unit, whatever its header states (A.2.2).
            let across = count == 1 ? 1 : Int(content[at + 1] >> 4)
            let down = count == 1 ? 1 : Int(content[at + 1] & 15)
            return Component(id: content[at], across: across, down: down, quantizer: Int(content[at + 2] & 3))
        }
        return isUsualSampling && components.map(\.id) != Array("RGB".utf8)
    }

    /// Whether both colour components are alike, with as many samples as brightness or half of them.
    private var isUsualSampling: Bool {
        guard components.count == 3 else { return true }
        let (light, colour) = (components[0], components[1])
        guard components.allSatisfy({ (1...2).contains($0.across) && (1...2).contains($0.down) }) else { return false }
        return colour.across == components[2].across && colour.down == components[2].down
            && light.across >= colour.across && light.down >= colour.down
    }

    /// The factor by which colour has fewer samples than brightness, across and down.
    var colourStep: (across: Int, down: Int) {
        guard components.count == 3 else { return (1, 1) }
        return (components[0].across / components[1].across, components[0].down / components[1].down)
    }

    /// T.81, B.2.4.4.
    private mutating func readInterval(_ content: [UInt8]) -> Bool {
        guard content.count >= 2 else { return false }
        restartInterval = Int(content[0]) << 8 | Int(content[1])
        return true
    }

    /// T.81, B.2.4.2.
    private mutating func readCodes(_ content: [UInt8]) -> Bool {
        var rest = content[...]
        while rest.count >= 17, let place = rest.first {
            let counts = Array(rest.dropFirst().prefix(16))
            let symbols = Array(rest.dropFirst(17).prefix(counts.reduce(0) { $0 + Int($1) }))
            guard place & 15 < 4, place >> 4 < 2, let codes = JPEGCodes(counts: counts, symbols: symbols) else {
                return false
            }
            // Samples of 8 bits have no larger coefficients.
            guard symbols.allSatisfy({ $0 & 15 <= 11 }) else { return false }
            if place >> 4 == 0 {
                dcCodes[Int(place & 15)] = codes
            } else {
                acCodes[Int(place & 15)] = codes
            }
            rest = rest.dropFirst(17 + symbols.count)
        }
        return rest.isEmpty
    }

    /// T.81, B.2.4.1.
    private mutating func readQuantizers(_ content: [UInt8]) -> Bool {
        var rest = content[...]
        while let place = rest.popFirst() {
            let width = place >> 4 == 0 ? 1 : 2
            guard place & 15 < 4, rest.count >= 64 * width else { return false }
            let bytes = Array(rest.prefix(64 * width))
            quantizers[Int(place & 15)] = (0..<64).map { (index: Int) -> Int32 in
                guard width == 2 else { return Int32(bytes[index]) }
                return Int32(bytes[2 * index]) << 8 | Int32(bytes[2 * index + 1])
            }
            rest = rest.dropFirst(64 * width)
        }
        return true
    }

    /// T.81, B.2.3: all components, in order, all coefficients at once.
    private mutating func readScan(_ content: [UInt8]) -> Bool {
        guard !components.isEmpty, content.count == 4 + 2 * components.count, content[0] == components.count else {
            return false
        }
        for index in components.indices {
            guard content[1 + 2 * index] == components[index].id else { return false }
            components[index].dcCodes = Int(content[2 + 2 * index] >> 4) & 3
            components[index].acCodes = Int(content[2 + 2 * index] & 15) & 3
        }
        return content.suffix(3) == [0, 63, 0]
    }

    private var isComplete: Bool {
        components.allSatisfy {
            quantizers[$0.quantizer] != nil && dcCodes[$0.dcCodes] != nil && acCodes[$0.acCodes] != nil
        }
    }
}
