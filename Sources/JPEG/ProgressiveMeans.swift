import CFFmpeg
import Frames
import Glibc

/// Decodes a progressive JPEG to an eighth of its size from the means of its blocks alone (ITU-T T.81, G.1).
///
/// The means have scans of their own, with a few per cent of the bytes; all other scans are skipped and take no memory,
/// whereas other decoders keep 200 MB of coefficients for 33 megapixels.
struct ProgressiveMeans {
    private var scan = JPEGScan()
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Per component: the means, divided by the quantizer, block after block in rows of `columns`.
    private var means: [[Int32]] = []
    private var columns: [Int] = []

    /// `nil` if the file is not progressive, has unusual colours, is too large, or is damaged.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, maxPixels: Int) {
        self.bytes = bytes
        var (offset, isWhole) = (2, false)
        while offset + 4 <= bytes.count {
            guard bytes[offset] == 0xFF else { return nil }
            let marker = bytes[offset + 1]
            if marker == 0xFF {
                offset += 1
                continue
            }
            // A whole file ends directly after a scan, and only a whole file is decoded here.
            if marker == 0xD9 { return nil }
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            let end = offset + 2 + length
            guard length >= 2, end < bytes.count else { return nil }
            let content = Array(bytes[offset + 4..<end].prefix(4096))
            guard read(marker, content, maxPixels: maxPixels) else { return nil }
            offset = end
            guard marker == 0xDA else { continue }
            guard readMeans(content, from: end), let next = self.marker(after: end) else { return nil }
            isWhole = bytes[next + 1] == 0xD9
            if isWhole { break }
            offset = next
        }
        guard isWhole, scan.components.allSatisfy({ scan.quantizers[$0.quantizer] != nil }) else { return nil }
    }

    private mutating func read(_ marker: UInt8, _ content: [UInt8], maxPixels: Int) -> Bool {
        switch marker {
        case 0xC2:
            guard scan.readFrame(content), scan.width <= maxPixels / scan.height else { return false }
            let unit = scan.unit
            let units = (
                (scan.width + 8 * unit.across - 1) / (8 * unit.across),
                (scan.height + 8 * unit.down - 1) / (8 * unit.down)
            )
            columns = scan.components.map { units.0 * $0.across }
            means = scan.components.map { [Int32](repeating: 0, count: units.0 * $0.across * units.1 * $0.down) }
        case 0xC4: return scan.readCodes(content)
        case 0xDB: return scan.readQuantizers(content)
        case 0xDD: return scan.readInterval(content)
        case 0xEE: return !(content.starts(with: "Adobe".utf8) && content.count >= 12 && content[11] != 1)
        case 0xC0, 0xC1, 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return false
        default: break
        }
        return true
    }

    /// The offset of the marker after the coded bits from `start` on; `nil` if the file ends before it.
    private func marker(after start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var from = start
        while from + 1 < bytes.count, let found = memchr(base + from, 0xFF, bytes.count - from - 1) {
            let place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            let next = bytes[place + 1]
            if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { return place }
            from = place + 1
        }
        return nil
    }

    /// Reads a scan of means and skips any other; `false` if it is damaged.
    private mutating func readMeans(_ content: [UInt8], from start: Int) -> Bool {
        // A scan without components is refused, because it costs no bits: a file could have thousands of them.
        guard let count = content.first.map(Int.init), count > 0, content.count == 4 + 2 * count, !means.isEmpty else {
            return false
        }
        let (first, low) = (content[1 + 2 * count], Int32(content[3 + 2 * count] & 15))
        guard first == 0 else { return true }
        let isRefined = content[3 + 2 * count] >> 4 > 0
        var parts: [(index: Int, codes: JPEGCodes?)] = []
        for place in 0..<count {
            guard let index = scan.components.firstIndex(where: { $0.id == content[1 + 2 * place] }) else {
                return false
            }
            let codes = scan.dcCodes[Int(content[2 + 2 * place] >> 4) & 3]
            guard isRefined || codes != nil else { return false }
            parts.append((index, codes))
        }
        var bits = JPEGBits(bytes, from: start)
        return count == 1
            ? readAlone(parts[0], &bits, isRefined ? nil : low, low)
            : readTogether(parts, &bits, isRefined ? nil : low, low)
    }

    /// Reads a scan of one component, which has no blocks beyond its own size (T.81, A.2.2).
    private mutating func readAlone(
        _ part: (index: Int, codes: JPEGCodes?), _ bits: inout JPEGBits, _ shift: Int32?, _ low: Int32
    ) -> Bool {
        let (component, unit) = (scan.components[part.index], scan.unit)
        let across = (scan.width * component.across + 8 * unit.across - 1) / (8 * unit.across)
        let down = (scan.height * component.down + 8 * unit.down - 1) / (8 * unit.down)
        var last: Int32 = 0
        for number in 0..<across * down {
            if isDue(number) {
                guard bits.restart() else { return false }
                last = 0
            }
            let at = number / across * columns[part.index] + number % across
            guard Self.read(&bits, part.codes, shift, low, &last, &means[part.index][at]) else { return false }
        }
        return !bits.isOverrun
    }

    private mutating func readTogether(
        _ parts: [(index: Int, codes: JPEGCodes?)], _ bits: inout JPEGBits, _ shift: Int32?, _ low: Int32
    ) -> Bool {
        let across = (scan.width + 8 * scan.unit.across - 1) / (8 * scan.unit.across)
        let down = (scan.height + 8 * scan.unit.down - 1) / (8 * scan.unit.down)
        var last = [Int32](repeating: 0, count: parts.count)
        for number in 0..<across * down {
            if isDue(number) {
                guard bits.restart() else { return false }
                for place in last.indices { last[place] = 0 }
            }
            for (place, part) in parts.enumerated() {
                let component = scan.components[part.index]
                for block in 0..<component.across * component.down {
                    let row = number / across * component.down + block / component.across
                    let column = number % across * component.across + block % component.across
                    let at = row * columns[part.index] + column
                    guard Self.read(&bits, part.codes, shift, low, &last[place], &means[part.index][at]) else {
                        return false
                    }
                }
            }
        }
        return !bits.isOverrun
    }

    /// Whether a restart marker comes before this unit.
    private func isDue(_ number: Int) -> Bool {
        scan.restartInterval > 0 && number > 0 && number % scan.restartInterval == 0
    }

    /// Reads one mean: its higher bits as a difference, or one more bit of it if `shift` is `nil`.
    @inline(__always)
    private static func read(
        _ bits: inout JPEGBits, _ codes: JPEGCodes?, _ shift: Int32?, _ low: Int32, _ last: inout Int32,
        _ mean: inout Int32
    ) -> Bool {
        bits.fill()
        guard let shift else {
            if bits.peek(1) == 1 { mean |= 1 << low }
            bits.skip(1)
            return true
        }
        guard let codes else { return false }
        let short = codes.short[bits.peek(JPEGCodes.shortBits)]
        guard let entry = short.length > 0 ? short : codes.longEntry(bits.peek(16)), entry.symbol <= 11 else {
            return false
        }
        bits.skip(Int(entry.length))
        last = last &+ bits.value(Int(entry.symbol))
        mean = last &<< shift
        return true
    }

    /// The picture of an eighth of the size.
    func frame() throws(FFmpegError) -> Frame {
        let frame = try Frame.blank(
            width: (scan.width + 7) / 8, height: (scan.height + 7) / 8, format: scan.format)
        let planes = [frame.pointer.pointee.data.0, frame.pointer.pointee.data.1, frame.pointer.pointee.data.2]
        let strides = [
            frame.pointer.pointee.linesize.0, frame.pointer.pointee.linesize.1, frame.pointer.pointee.linesize.2,
        ]
        let step = scan.colourStep
        for index in means.indices {
            guard let plane = planes[index], let quantizer = scan.quantizers[scan.components[index].quantizer] else {
                continue
            }
            let width = index == 0 ? frame.width : (frame.width + step.across - 1) / step.across
            let height = index == 0 ? frame.height : (frame.height + step.down - 1) / step.down
            for y in 0..<height {
                let line = plane + y * Int(strides[index])
                for x in 0..<width {
                    let value = means[index][y * columns[index] + x] &* quantizer[0]
                    line[x] = UInt8(truncatingIfNeeded: min(255, max(0, (value &+ 1028) >> 3)))
                }
            }
        }
        frame.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        frame.pointer.pointee.colorspace = AVCOL_SPC_SMPTE170M
        return frame
    }
}
