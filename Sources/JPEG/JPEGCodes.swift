/// One Huffman table of a JPEG, prepared for lookups (ITU-T T.81, C and F.2.2.3).
struct JPEGCodes {
    /// Indexed by 10 bits: the code's length, 0 if it is longer than these, and the symbol.
    private(set) var short: [Entry]
    /// For lengths from 11 on: the first 16-bit number beyond the codes of this length, and how to find the symbol.
    private let long: [(limit: Int, first: Int, index: Int, length: Int)]
    private let symbols: [UInt8]

    /// Indexed by 12 bits: all symbols that lie in them completely, with their values, to be skipped at once.
    private(set) var runs: [Run] = []

    static let shortBits = 10
    static let runBits = 12

    /// Several symbols in a row.
    struct Run {
        /// Bits of their codes and values; 0 if not even the first code is short enough.
        var total: UInt8 = 0
        /// Coefficients that they fill or pass over.
        var advance: UInt8 = 0
        /// Whether the last of them ends the block.
        var isEnd = false
    }

    struct Entry {
        /// Bits of the code.
        var length: UInt8 = 0
        /// Bits of code and value together.
        var total: UInt8 = 0
        /// Coefficients that the symbol fills or passes over; `endOfBlock` for the one that ends it.
        var advance: UInt8 = 0
        var symbol: UInt8 = 0

        static let endOfBlock: UInt8 = 128

        init() {}

        init(symbol: UInt8, length: Int) {
            self.symbol = symbol
            self.length = UInt8(length)
            total = UInt8(length) + symbol & 15
            let isEnd = symbol & 15 == 0 && symbol >> 4 != 15
            advance = isEnd ? Self.endOfBlock : symbol >> 4 + 1
        }
    }

    /// - Parameter counts: Codes of each length from 1 to 16.
    /// - Parameter symbols: In the order of their codes; the result is `nil` if there are more than fit.
    init?(counts: [UInt8], symbols: [UInt8]) {
        guard counts.count == 16, counts.reduce(0, { $0 + Int($1) }) == symbols.count else { return nil }
        var short = [Entry](repeating: Entry(), count: 1 << Self.shortBits)
        var long: [(limit: Int, first: Int, index: Int, length: Int)] = []
        var (code, index) = (0, 0)
        for length in 1...16 {
            let count = Int(counts[length - 1])
            guard code + count <= 1 << length else { return nil }
            if length <= Self.shortBits {
                let shift = Self.shortBits - length
                for offset in 0..<count {
                    let entry = Entry(symbol: symbols[index + offset], length: length)
                    for tail in 0..<1 << shift { short[(code + offset) << shift + tail] = entry }
                }
            } else {
                long.append(((code + count) << (16 - length), code, index, length))
            }
            index += count
            code = (code + count) << 1
        }
        self.short = short
        self.long = long
        self.symbols = symbols
    }

    /// Fills `runs`, which only the tables of a baseline picture's AC coefficients need.
    mutating func findRuns() {
        guard runs.isEmpty else { return }
        runs = (0..<1 << Self.runBits).map(run)
    }

    private func run(_ bits: Int) -> Run {
        var run = Run()
        var rest = Self.runBits
        while rest > 0, !run.isEnd {
            // The bits that are left, followed by zeros; a code must not reach into the zeros.
            let left = (bits << (Self.runBits - rest)) & (1 << Self.runBits - 1)
            let start = left >> (Self.runBits - Self.shortBits)
            let entry = short[start]
            let isFirst = rest == Self.runBits
            guard entry.length > 0, isFirst || Int(entry.total) <= rest else { break }
            run.total += entry.total
            run.isEnd = entry.advance == Entry.endOfBlock
            if !run.isEnd { run.advance += entry.advance }
            rest -= Int(entry.total)
        }
        return run
    }

    /// The entry for 16 bits that do not start with a short code; `nil` if they match no code.
    func longEntry(_ bits: Int) -> Entry? {
        for row in long where bits < row.limit {
            let position = row.index + bits >> (16 - row.length) - row.first
            guard position >= row.index, symbols.indices.contains(position) else { return nil }
            return Entry(symbol: symbols[position], length: row.length)
        }
        return nil
    }
}
