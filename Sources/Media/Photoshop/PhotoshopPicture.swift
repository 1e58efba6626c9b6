import CFFmpeg
import Facts
import Frames

/// The merged picture of a document of Photoshop, painted row by row.
struct PhotoshopPicture: ~Copyable {
    private let document: PhotoshopDocument
    private let plan: Plan
    private let transform: ColourTransform?
    /// The byte for each of 4096 steps of linear light; empty if the document has none.
    private let curve: [UInt8]

    /// What the channels stand for.
    private enum Model {
        /// Grey includes bitmaps, in which 1 is black.
        case grey, palette, colours, lab
        /// Inks, whose bytes say how much paper they leave white.
        case inks
    }

    private struct Plan {
        var model: Model
        /// How many of the document's channels are colours.
        var colours: Int
        /// The channel of the transparency.
        var alpha: Int?
        /// Bytes of a painted pixel.
        var painted: Int { alpha != nil ? 4 : model == .grey ? 1 : 3 }
    }

    /// The most pixels of a row or a column of a large document.
    private static let longest = 300_000
    /// Photoshop states 56 as its limit, and writes documents with more.
    private static let mostChannels = 128

    /// The picture, large enough for thumbnails of `longSide`.
    ///
    /// - Parameter maxPixels: Width times height; a larger picture is refused before memory is asked for.
    static func frame(
        of document: PhotoshopDocument, longSide: Int, maxPixels: Int
    ) throws(FFmpegError) -> Frame {
        let (width, height) = (document.width, document.height)
        guard (1...longest).contains(width), (1...longest).contains(height), [1, 8, 16, 32].contains(document.depth),
            (1...mostChannels).contains(document.channels), let plan = plan(document)
        else { throw FFmpegError(call: "PSD", code: cffmpeg_error_invalid_data) }
        try FFmpegError.checkSize(width, height, limit: maxPixels, "PSD")
        return try PhotoshopPicture(document, plan).painted(longSide: longSide)
    }

    private init(_ document: PhotoshopDocument, _ plan: Plan) {
        (self.document, self.plan) = (document, plan)
        switch plan.model {
        case .lab: transform = ColourTransform.lab()
        case .inks: transform = document.resource(1039).flatMap { ColourTransform(inks: $0) }
        default: transform = nil
        }
        // Documents of 32 bits hold linear light; the curve is that of IEC 61966-2-1.
        curve =
            document.depth < 32
            ? []
            : (0..<4096).map { step in
                let light = Double(step) / 4095
                let coded = light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
                return UInt8((coded * 255).rounded())
            }
    }

    private static func plan(_ document: PhotoshopDocument) -> Plan? {
        var plan: Plan
        switch document.mode {
        case 0, 1, 8: plan = Plan(model: .grey, colours: 1)
        case 2: plan = Plan(model: .palette, colours: 1)
        case 3: plan = Plan(model: .colours, colours: 3)
        case 4: plan = Plan(model: .inks, colours: 4)
        // A multichannel document has the inks of a print, of which some may be missing.
        case 7 where document.channels >= 3: plan = Plan(model: .inks, colours: min(4, document.channels))
        case 7: plan = Plan(model: .grey, colours: 1)
        case 9: plan = Plan(model: .lab, colours: 3)
        default: return nil
        }
        guard plan.colours <= document.channels else { return nil }
        if document.mode != 7, document.channels > plan.colours, document.hasTransparency { plan.alpha = plan.colours }
        return plan
    }

    private func painted(longSide: Int) throws(FFmpegError) -> Frame {
        let (width, height) = (document.width, document.height)
        guard let rows = PhotoshopRows(document) else {
            throw FFmpegError(call: "PSD", code: cffmpeg_error_invalid_data)
        }
        var canvas = try ShrinkingCanvas(width: width, height: height, channels: plan.painted, longSide: longSide)
        let count = plan.model == .inks ? 4 : plan.colours
        var packed = [UInt8](repeating: 0, count: rows.length)
        var pixels = [UInt8](repeating: 255, count: width * count)
        var alpha = [UInt8](repeating: 255, count: width)
        var row = [UInt8](repeating: 0, count: width * 4)
        var painted = 0
        for y in 0..<height {
            var isThere = true
            for channel in 0..<plan.colours where isThere {
                isThere = rows.read(channel, y, into: &packed)
                if isThere { unpack(packed, into: &pixels, from: channel, step: count, isLight: plan.model != .lab) }
            }
            guard isThere else {
                if y == 0 { throw FFmpegError(call: "PSD", code: cffmpeg_error_invalid_data) }
                break
            }
            if let index = plan.alpha, rows.read(index, y, into: &packed) {
                unpack(packed, into: &alpha, from: 0, step: 1, isLight: false)
            }
            paint(&pixels, alpha, into: &row)
            canvas.add(y, row)
            painted += 1
        }
        canvas.finish()
        if painted < height { DecoderLog.keep("\(painted) of \(height) rows are there") }
        let frame = canvas.taken()
        // A profile does not apply to documents of one bit, nor to those of linear light.
        if plan.model == .colours || plan.model == .grey, [8, 16].contains(document.depth),
            let profile = document.resource(1039)
        {
            frame.setProfile(profile)
        }
        return frame
    }

    /// Samples of any depth as bytes.
    private func unpack(
        _ packed: [UInt8], into target: inout [UInt8], from start: Int, step: Int, isLight: Bool
    ) {
        let width = document.width
        switch document.depth {
        case 1: for x in 0..<width { target[start + x * step] = packed[x / 8] >> (7 - x % 8) & 1 == 1 ? 0 : 255 }
        case 8, 16:
            let wide = document.depth / 8
            packed.withUnsafeBufferPointer { packed in
                target.withUnsafeMutableBufferPointer { target in
                    guard let source = packed.baseAddress, let target = target.baseAddress else { return }
                    for x in 0..<width { target[start &+ x &* step] = source[x &* wide] }
                }
            }
        default:
            for x in 0..<width {
                let bits = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(packed[x * 4 + $1]) }
                let value = Float(bitPattern: bits)
                // NaN becomes 0, because comparisons with it are false.
                let share = value > 0 ? min(value, 1) : 0
                target[start + x * step] = isLight ? curve[Int(share * 4095)] : UInt8(share * 255)
            }
        }
    }

    /// Paints a row; inks are inverted in place, because the document stores what they leave of the paper.
    private func paint(_ pixels: inout [UInt8], _ alpha: [UInt8], into row: inout [UInt8]) {
        let width = document.width
        pixels.withUnsafeMutableBufferPointer { pixels in
            row.withUnsafeMutableBufferPointer { row in
                guard let source = pixels.baseAddress, let target = row.baseAddress else { return }
                switch plan.model {
                case .grey, .colours: target.update(from: source, count: pixels.count)
                case .palette:
                    for x in 0..<width {
                        for channel in 0..<3 { row[x * 3 + channel] = document.colour(Int(source[x]), channel) }
                    }
                case .lab:
                    switch transform {
                    case .some(let transform): transform.apply(source, to: target, count: width)
                    case nil: break
                    }
                case .inks:
                    for at in pixels.indices { source[at] = ~source[at] }
                    source.paintInks(width, by: transform, into: target)
                    // The inversion has changed the fourth ink, which the document lacks.
                    if plan.colours < 4 { for x in 0..<width { source[x * 4 + 3] = 255 } }
                }
                guard plan.alpha != nil else { return }
                // From the end, because each pixel grows in place.
                let wide = plan.model == .grey ? 1 : 3
                for x in stride(from: width - 1, through: 0, by: -1) {
                    let colour = (row[x * wide], row[x * wide + wide / 2], row[x * wide + wide - 1])
                    (row[x * 4], row[x * 4 + 1], row[x * 4 + 2], row[x * 4 + 3]) = (
                        colour.0, colour.1, colour.2, alpha[x]
                    )
                }
            }
        }
    }
}
