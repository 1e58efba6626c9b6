import CTIFF
import Frames

/// Turns the samples of a TIFF's pixels into grey, colours, or colours with alpha.
struct TIFFPainter: ~Copyable {
    private enum Model {
        case grey, palette, colours, inks, lab
    }

    /// The photometric value for a camera's red, green and blue (DNG 1.7, LinearRaw).
    private static let linear: Int32 = 34_892

    private let model: Model
    private let samples: Int
    /// The sample that says how opaque a pixel is, and whether the others are multiplied by it.
    private let alpha: (index: Int, isMultiplied: Bool)?
    private let isInverted: Bool
    private let hasSignedColours: Bool
    private let colours: [(UInt8, UInt8, UInt8)]
    private let transform: ColourTransform?

    /// `nil` for pages that only libtiff's own conversion can read: subsampled colours, logarithms.
    ///
    /// - Parameter isConverted: Whether the decoder converts brightness and colour to red, green and blue.
    static func made(_ page: TIFFPage, of document: borrowing TIFFDocument, isConverted: Bool) -> TIFFPainter? {
        guard let model = model(page, isConverted: isConverted) else { return nil }
        switch model {
        case .palette:
            let colours = palette(document, count: 1 << page.bits)
            return colours.isEmpty ? nil : TIFFPainter(model, page, colours: colours)
        case .inks:
            return TIFFPainter(model, page, transform: document.profile.flatMap { ColourTransform(inks: $0) })
        case .lab:
            return TIFFPainter(model, page, transform: ColourTransform.lab())
        case .grey, .colours:
            return TIFFPainter(model, page)
        }
    }

    private init(
        _ model: Model, _ page: TIFFPage, colours: [(UInt8, UInt8, UInt8)] = [],
        transform: consuming ColourTransform? = nil
    ) {
        (self.model, samples, self.colours) = (model, page.samples, colours)
        self.transform = transform
        isInverted = page.photometric == PHOTOMETRIC_MINISWHITE
        hasSignedColours = page.photometric == PHOTOMETRIC_CIELAB
        let own = [.grey, .palette].contains(model) ? 1 : model == .colours ? 3 : page.samples
        let kind = page.extraSamples.firstIndex { $0 == 1 || $0 == 2 }
        alpha = kind.flatMap { own + $0 < page.samples ? (own + $0, page.extraSamples[$0] == 1) : nil }
    }

    private static func model(_ page: TIFFPage, isConverted: Bool) -> Model? {
        switch page.photometric {
        case PHOTOMETRIC_MINISWHITE, PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MASK, PHOTOMETRIC_CFA: .grey
        case PHOTOMETRIC_RGB, linear: page.samples >= 3 ? .colours : .grey
        case PHOTOMETRIC_YCBCR: isConverted ? .colours : nil
        case PHOTOMETRIC_PALETTE: page.bits <= 16 ? .palette : nil
        case PHOTOMETRIC_SEPARATED: page.samples >= 4 ? .inks : nil
        case PHOTOMETRIC_CIELAB, PHOTOMETRIC_ICCLAB: page.samples >= 3 ? .lab : .grey
        default: nil
        }
    }

    /// Bytes of a painted pixel.
    var channels: Int { alpha != nil ? 4 : model == .grey ? 1 : 3 }

    /// Whether `paint` would only copy pixels of bytes.
    var takesBytesAsTheyAre: Bool {
        alpha == nil && (model == .grey && samples == 1 && !isInverted || model == .colours && samples == 3)
    }

    /// Whether pixels are indices, to be painted by `paintIndices` instead of `paint`.
    var isPalette: Bool { model == .palette }

    /// Paints pixels by their indices; those beyond the palette are black.
    func paintIndices(
        _ values: TIFFSamples, of planes: TIFFRows.Planes, count: Int, into target: UnsafeMutablePointer<UInt8>
    ) {
        let (channels, step) = (channels, planes.count > 1 ? 1 : samples)
        values.indices(planes[0], of: step, count: count) { pixel, index in
            let colour = index < colours.count ? colours[index] : (0, 0, 0)
            let at = pixel * channels
            (target[at], target[at + 1], target[at + 2]) = colour
        }
        guard let alpha else { return }
        let most = 1 << values.bits - 1
        values.indices(planes[step > 1 ? 0 : alpha.index], at: step > 1 ? alpha.index : 0, of: step, count: count) {
            target[$0 * 4 + 3] = UInt8($1 * 255 / most)
        }
    }

    /// Paints `count` pixels of `samples` bytes each, and may overwrite `pixels`.
    func paint(_ pixels: UnsafeMutablePointer<UInt8>, count: Int, into target: UnsafeMutablePointer<UInt8>) {
        switch model {
        case .grey: grey(pixels, count, target)
        case .colours: coloured(pixels, count, target)
        case .inks: inks(pixels, count, target)
        case .lab: lab(pixels, count, target)
        case .palette: break
        }
        guard let alpha else { return }
        guard alpha.isMultiplied else {
            for pixel in 0..<count { target[pixel &* 4 &+ 3] = pixels[pixel &* samples &+ alpha.index] }
            return
        }
        for pixel in 0..<count {
            let share = pixels[pixel * samples + alpha.index]
            target[pixel * 4 + 3] = share
            guard share > 0, share < 255 else { continue }
            for channel in 0..<3 {
                target[pixel * 4 + channel] = UInt8(min(255, Int(target[pixel * 4 + channel]) * 255 / Int(share)))
            }
        }
    }

    private func grey(_ pixels: UnsafeMutablePointer<UInt8>, _ count: Int, _ target: UnsafeMutablePointer<UInt8>) {
        let mask: UInt8 = isInverted ? 255 : 0
        guard alpha != nil else {
            let step = samples
            guard step > 1 else {
                for pixel in 0..<count { target[pixel] = pixels[pixel] ^ mask }
                return
            }
            for pixel in 0..<count { target[pixel] = pixels[pixel * step] ^ mask }
            return
        }
        for pixel in 0..<count {
            let light = pixels[pixel * samples] ^ mask
            for channel in 0..<3 { target[pixel * 4 + channel] = light }
        }
    }

    private func coloured(_ pixels: UnsafeMutablePointer<UInt8>, _ count: Int, _ target: UnsafeMutablePointer<UInt8>) {
        let step = channels
        guard samples != step else { return target.update(from: pixels, count: count * step) }
        for pixel in 0..<count {
            let (from, to) = (pixel &* samples, pixel &* step)
            target[to] = pixels[from]
            target[to &+ 1] = pixels[from &+ 1]
            target[to &+ 2] = pixels[from &+ 2]
        }
    }

    private func inks(_ pixels: UnsafeMutablePointer<UInt8>, _ count: Int, _ target: UnsafeMutablePointer<UInt8>) {
        if samples > 4 {
            for pixel in 0..<count {
                for ink in 0..<4 { pixels[pixel &* 4 &+ ink] = pixels[pixel &* samples &+ ink] }
            }
        }
        pixels.paintInks(count, by: transform, into: target)
    }

    private func lab(_ pixels: UnsafeMutablePointer<UInt8>, _ count: Int, _ target: UnsafeMutablePointer<UInt8>) {
        let mask: UInt8 = hasSignedColours ? 0x80 : 0
        for pixel in 0..<count {
            let from = pixel * samples
            let (light, green, blue) = (pixels[from], pixels[from + 1], pixels[from + 2])
            (pixels[pixel * 3], pixels[pixel * 3 + 1], pixels[pixel * 3 + 2]) = (light, green ^ mask, blue ^ mask)
        }
        switch transform {
        case .some(let transform): transform.apply(pixels, to: target, count: count)
        case nil: break
        }
    }

    /// The palette in bytes; some programs wrote bytes although its numbers have 16 bits.
    private static func palette(_ document: borrowing TIFFDocument, count: Int) -> [(UInt8, UInt8, UInt8)] {
        var red: UnsafeMutablePointer<UInt16>?
        var green: UnsafeMutablePointer<UInt16>?
        var blue: UnsafeMutablePointer<UInt16>?
        guard ctiff_palette(document.handle, &red, &green, &blue) != 0, let red, let green, let blue else { return [] }
        let isWide = (0..<count).contains { max(red[$0], green[$0], blue[$0]) > 255 }
        func byte(_ value: UInt16) -> UInt8 { UInt8(isWide ? value >> 8 : value) }
        return (0..<count).map { (byte(red[$0]), byte(green[$0]), byte(blue[$0])) }
    }
}

extension TIFFDocument {
    /// The ICC profile of the current directory.
    var profile: UnsafeBufferPointer<UInt8>? {
        var count: UInt32 = 0
        var bytes: UnsafeMutableRawPointer?
        guard ctiff_profile(handle, &count, &bytes) != 0, let bytes, count > 0, count <= 16 << 20 else { return nil }
        return UnsafeBufferPointer(start: bytes.assumingMemoryBound(to: UInt8.self), count: Int(count))
    }
}
