/// The sections of a lossy frame (ISO/IEC 18181-1, F.3): one for all of it; the means of blocks, one section for each
/// 2048 × 2048 pixels; one for all details; and the details, one section for each 256 × 256 pixels and pass.
struct JXLSections {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let passes: Int
    /// Columns and rows of the parts of 256 × 256 pixels.
    private let grid: (columns: Int, rows: Int)
    /// For each section, in the order of the file: the bits that state its size, and its bytes.
    private(set) var table: [(entry: Range<Int>, bytes: Range<Int>)] = []
    /// Whether the sections of each 2048 × 2048 pixels lie together, as in a large picture that was written while it
    /// was encoded.
    private var isStreamed = false
    /// How many more sizes may be read in search of the table.
    private var sizesLeft: Int

    /// `nil` if sections are missing, or in an unknown order.
    ///
    /// - Parameter end: The bit at which the frame's header ends.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, behind end: Int, width: Int, height: Int, passes: Int) {
        (self.bytes, self.passes) = (bytes, passes)
        grid = ((width - 1) / 256 + 1, (height - 1) / 256 + 1)
        sizesLeft = 0
        guard grid.columns * grid.rows > 1 else { return nil }
        sizesLeft = 64 * count
        var bits = JXLBits(bytes, at: end)
        isStreamed = bits.flag()
        bits.align()
        guard isStreamed else {
            guard read(at: bits.position) else { return nil }
            return
        }
        // The order precedes the table, but its codes are not read: the table is found because only its sizes add up to
        // all of the bytes. Elsewhere a few sizes already exceed the file, unless it was made to slow this search.
        let most = min(bytes.count, bits.position / 8 + 64 + 2 * count)
        guard (bits.position / 8..<most).contains(where: { read(at: $0 * 8, isWhole: true) }) else { return nil }
    }

    private var count: Int { 2 + keptParts.count + grid.columns * grid.rows * passes }

    /// For each section of means: how many sections of details belong to its pixels.
    private var keptParts: [Int] {
        func parts(_ count: Int) -> [Int] { stride(from: 0, to: count, by: 8).map { min(8, count - $0) } }
        return parts(grid.rows).flatMap { rows in parts(grid.columns).map { rows * $0 * passes } }
    }

    /// Reads a table at this bit; returns whether its sections lie within the file, and with `isWhole` fill it up.
    private mutating func read(at position: Int, isWhole: Bool = false) -> Bool {
        var bits = JXLBits(bytes, at: position)
        var entries: [(entry: Range<Int>, size: Int)] = []
        var left = bytes.count
        guard sizesLeft > 0 else { return false }
        for _ in 0..<count {
            sizesLeft -= 1
            let start = bits.position
            let size = Int(bits.number([(10, 0), (14, 1024), (22, 17_408), (30, 4_211_712)]))
            left -= size
            guard left >= bits.position / 8, !bits.isOver else { return false }
            entries.append((start..<bits.position, size))
        }
        bits.align()
        var next = bits.position / 8
        guard isWhole ? left == next : left >= next else { return false }
        table = entries.map { row in
            defer { next += row.size }
            return (row.entry, next..<next + row.size)
        }
        return true
    }

    /// A frame of `header` and these sections, with those of details empty.
    func withoutDetails(_ header: JXLBitWriter) -> [UInt8] {
        var kept = [table[0]]
        var next = 1
        for parts in keptParts {
            kept.append(table[next])
            next += isStreamed ? 1 + parts : 1
        }
        let blank = blank
        var writer = header
        writer.add(0, bits: 1)
        writer.align()
        for section in kept { writer.copy(section.entry, of: bytes) }
        writer.add(UInt32(blank.count) << 2, bits: 12)
        for _ in 0..<count - kept.count - 1 { writer.add(0, bits: 12) }
        return writer.bytes + kept.flatMap { bytes[$0.bytes] } + blank
    }

    /// The section for all details if there are none: each number is zero, and takes no bits.
    private var blank: [UInt8] {
        var writer = JXLBitWriter()
        // The default weights; one set of codes.
        writer.add(1, bits: 1)
        writer.add(0, bits: Int.bitWidth - (grid.columns * grid.rows - 1).leadingZeroBitCount)
        for _ in 0..<passes {
            // The default order; no repetition; one code for all, a prefix code of integers with a single symbol.
            for (value, bits) in [(2, 2), (0, 1), (1, 3), (1, 1), (15, 4), (0, 1)] as [(UInt32, Int)] {
                writer.add(value, bits: bits)
            }
        }
        return writer.bytes
    }
}
