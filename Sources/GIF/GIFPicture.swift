package import Frames
import Glibc
package import MediaModel

/// The first readable picture of a GIF, made smaller row by row (GIF89a, sections 18, 20 and 23).
///
/// FFmpeg composes a canvas of four bytes a pixel, 600 MB for 150 million, and refuses pictures without colours.
package struct GIFPicture {
    /// As large as stated, or larger if the picture would not fit on it, as browsers show such files.
    package let canvas: GIFCanvas
    /// Whether it is larger than stated.
    package let growsCanvas: Bool
    private let bytes: UnsafeBufferPointer<UInt8>
    private let part: GIFPart
    /// Whether no picture before it is damaged.
    private let isFirst: Bool

    /// An opaque picture.
    package struct Painted: ~Copyable {
        fileprivate let frame: Frame
        /// Whether parts of the canvas are transparent, and show the background.
        package let showsBackground: Bool
        /// Whether the file has all of its rows.
        package let isWhole: Bool

        /// The frame alone.
        package consuming func taken() -> Frame { frame }
    }

    /// Finds the first picture that can be read; `nil` if there is none.
    ///
    /// - Parameter bytes: The file, which must outlive this value.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.starts(with: Array("GIF8".utf8)), let stated = GIFCanvas(Array(bytes.prefix(10))),
            var part = GIFPart(bytes, from: GIFPart.start(in: bytes))
        else { return nil }
        isFirst = part.hasCodes(in: bytes)
        while !part.hasCodes(in: bytes), let next = GIFPart(bytes, from: part.end(in: bytes)) { part = next }
        canvas = GIFCanvas(
            width: max(stated.width, part.x + part.width), height: max(stated.height, part.y + part.height))
        growsCanvas = canvas.width > stated.width || canvas.height > stated.height
        (self.bytes, self.part) = (bytes, part)
    }

    /// The canvas, large enough for `longSide`; `nil` if the picture has not a single row.
    ///
    /// Missing rows are grey, with a message in `DecoderLog`.
    package func painted(longSide: Int, over background: RGBColour) throws(FFmpegError) -> Painted? {
        guard var codes = GIFCodes(bytes, start: part.start) else { return nil }
        let shrunk = try ShrinkingCanvas(width: canvas.width, height: canvas.height, channels: 3, longSide: longSide)
        let kept = part.order.map { Kept(&codes, part.width, rows: $0) }
        var painter = Painter(shrunk, part, width: canvas.width, background)
        for y in 0..<canvas.height {
            guard y >= part.y, y < part.y + part.height else {
                painter.addNothing(y)
                continue
            }
            painter.add(y) { line in
                guard let kept else { return codes.fill(line) }
                return kept.take(y - part.y, line)
            }
        }
        let rows = painter.rows
        guard rows > 0 else { return nil }
        if rows < part.height { DecoderLog.keep("the file ends within its first picture") }
        if !isFirst { DecoderLog.keep("one of its pictures has no valid codes") }
        let showsBackground = painter.showsBackground
        return Painted(frame: painter.finished(), showsBackground: showsBackground, isWhole: rows == part.height)
    }

    /// Paints rows of numbers in their colours.
    private struct Painter: ~Copyable {
        private var canvas: ShrinkingCanvas
        private let part: GIFPart
        private let colours: [UInt32]
        private let nothing: [UInt8]
        /// Numbers of colours.
        private var line: [UInt8]
        /// Red, green and blue, and one byte more, because colours are written with a fourth.
        private var row: [UInt8]
        private(set) var showsBackground: Bool
        /// The rows that the file has.
        private(set) var rows = 0

        init(_ canvas: consuming ShrinkingCanvas, _ part: GIFPart, width: Int, _ background: RGBColour) {
            let under = [background.red, background.green, background.blue]
            var colours = part.colours
            if let transparent = part.transparent {
                colours[Int(transparent)] = under.reversed().reduce(0) { $0 << 8 | UInt32($1) }
            }
            self.canvas = canvas
            (self.part, self.colours) = (part, colours)
            nothing = (0..<width).flatMap { _ in under }
            row = nothing + [0]
            line = [UInt8](repeating: 0, count: part.width)
            showsBackground = part.width < width
        }

        mutating func addNothing(_ y: Int) {
            showsBackground = true
            canvas.add(y, nothing)
        }

        /// Adds a row of the canvas; grey in the picture if `fill` has none.
        mutating func add(_ y: Int, fill: (UnsafeMutableBufferPointer<UInt8>) -> Bool) {
            if line.withUnsafeMutableBufferPointer({ fill($0) }) {
                rows += 1
                if let transparent = part.transparent, !showsBackground {
                    showsBackground = memchr(line, Int32(transparent), line.count) != nil
                }
                paint()
            } else {
                let grey = repeatElement(UInt8(128), count: part.width * 3)
                row.replaceSubrange(part.x * 3..<(part.x + part.width) * 3, with: grey)
            }
            canvas.add(y, row)
        }

        private mutating func paint() {
            let first = part.x * 3
            let after = first + part.width * 3
            row.withUnsafeMutableBytes { row in
                // The fourth byte is replaced by the next pixel, or else belongs to what lies beside the picture.
                let beside = row[after]
                line.withUnsafeBufferPointer { line in
                    colours.withUnsafeBufferPointer { colours in
                        for x in 0..<line.count {
                            row.storeBytes(
                                of: colours[Int(line[x])].littleEndian, toByteOffset: first &+ x &* 3, as: UInt32.self)
                        }
                    }
                }
                row[after] = beside
            }
        }

        consuming func finished() -> Frame {
            canvas.finish()
            return canvas.taken()
        }
    }

    /// The rows of an interlaced picture, a byte for each pixel, because they come in four rounds (GIF89a, appendix E).
    private struct Kept {
        private var numbers: [UInt8]
        private let width: Int
        private var isThere: [Bool]

        init(_ codes: inout GIFCodes, _ width: Int, rows: [Int]) {
            self.width = width
            numbers = [UInt8](repeating: 0, count: width * rows.count)
            isThere = [Bool](repeating: false, count: rows.count)
            for y in rows {
                let isFilled = numbers.withUnsafeMutableBufferPointer {
                    codes.fill(UnsafeMutableBufferPointer(rebasing: $0[y * width..<(y + 1) * width]))
                }
                guard isFilled else { return }
                isThere[y] = true
            }
        }

        func take(_ y: Int, _ line: UnsafeMutableBufferPointer<UInt8>) -> Bool {
            guard isThere[y] else { return false }
            _ = line.update(from: numbers[y * width..<(y + 1) * width])
            return true
        }
    }
}
