import COpenEXR
import Frames

/// What the header of a part states about its picture (OpenEXR file layout, "Header").
struct EXRPart {
    /// A place and a size in pixels; the windows for data and for display share one plane.
    struct Window {
        let (x, y): (Int, Int)
        let (width, height): (Int, Int)

        init(_ box: exr_attr_box2i_t) {
            (x, y) = (Int(box.min.x), Int(box.min.y))
            (width, height) = (Int(box.max.x) - x + 1, Int(box.max.y) - y + 1)
        }
    }

    /// A channel; in each row, its samples follow those of the channels before it.
    struct Channel {
        let kind: exr_pixel_type_t
        /// The distance between samples, in pixels.
        let step: (across: Int, down: Int)
        /// The colour that the channel is, 0 to 2; `nil` if it is not shown.
        let colour: Int?

        var bytes: Int { kind == EXR_PIXEL_HALF ? 2 : 4 }

        /// The sample at a byte of unpacked samples.
        func value(in samples: UnsafeRawBufferPointer, at byte: Int) -> Float {
            switch kind {
            case EXR_PIXEL_HALF: Float(samples.loadUnaligned(fromByteOffset: byte, as: Float16.self))
            case EXR_PIXEL_FLOAT: samples.loadUnaligned(fromByteOffset: byte, as: Float.self)
            default: Float(samples.loadUnaligned(fromByteOffset: byte, as: UInt32.self))
            }
        }

        /// Whether the window begins and ends with whole steps, as the layout demands.
        func divides(_ window: Window) -> Bool {
            step.across > 0 && step.down > 0 && window.x % step.across == 0 && window.width % step.across == 0
                && window.y % step.down == 0
        }
    }

    let index: Int32
    let data: Window
    let shown: Window
    let channels: [Channel]
    /// The size of a chunk in pixels: a tile, or a number of whole rows.
    let chunk: (width: Int, height: Int)
    let isTiled: Bool
    /// Whether a pixel has any number of samples, at depths of their own.
    let isDeep: Bool
    /// The places of the channels with the coverage and the depth of samples; `nil` for a missing one.
    let alpha: Int?
    let depth: Int?
    /// Whether the colours are brightness and two differences from it.
    let isLuminance: Bool
    /// The primaries; `nil` if the header states none.
    let space: ColourSpace?
    /// The most bytes of a chunk, unpacked.
    var bytes: Int {
        isDeep ? Self.mostDeepBytes : chunk.width * chunk.height * channels.reduce(0) { $0 + $1.bytes }
    }

    /// A deep chunk states its own size, which its pixels do not bound.
    private static let mostDeepBytes = 1 << 26

    /// `nil` if the part is no picture of colours or brightness, or is larger than `maxPixels` or `room` allows.
    ///
    /// - Parameter room: The size of the file, into which the table of chunks must fit.
    init?(_ context: exr_context_t, _ index: Int32, maxPixels: Int, room: Int) {
        var (storage, chunks) = (EXR_STORAGE_LAST_TYPE, Int32(0))
        var (data, shown) = (exr_attr_box2i_t(), exr_attr_box2i_t())
        var list: UnsafePointer<exr_attr_chlist_t>?
        guard exr_get_storage(context, index, &storage) == 0, exr_get_chunk_count(context, index, &chunks) == 0,
            storage != EXR_STORAGE_LAST_TYPE, Int(chunks) <= room / 8,
            exr_get_data_window(context, index, &data) == 0, exr_get_display_window(context, index, &shown) == 0,
            exr_get_channels(context, index, &list) == 0, let list
        else { return nil }
        (self.index, self.data, self.shown) = (index, Window(data), Window(shown))
        isTiled = storage == EXR_STORAGE_TILED || storage == EXR_STORAGE_DEEP_TILED
        isDeep = storage == EXR_STORAGE_DEEP_SCANLINE || storage == EXR_STORAGE_DEEP_TILED
        for window in [self.data, self.shown] {
            guard window.width > 0, window.height > 0, window.width <= maxPixels / window.height else { return nil }
        }
        let entries = Array(UnsafeBufferPointer(start: list.pointee.entries, count: Int(list.pointee.num_channels)))
        guard let colours = EXRColours(entries.map { String(cString: $0.name.str) }) else { return nil }
        (isLuminance, alpha, depth) = (colours.isLuminance, colours.alpha, colours.depth)
        channels = entries.enumerated().map { at, entry in
            Channel(
                kind: entry.pixel_type, step: (Int(entry.x_sampling), Int(entry.y_sampling)),
                colour: colours.places.firstIndex(of: at))
        }
        let (window, isWhole) = (self.data, isTiled || isDeep)
        guard channels.allSatisfy({ $0.divides(window) && (!isWhole || $0.step == (1, 1)) }),
            let chunk = Self.chunk(context, index, width: window.width, isTiled: isTiled)
        else { return nil }
        self.chunk = chunk
        var places = exr_attr_chromaticities_t()
        let isStated = exr_attr_get_chromaticities(context, index, "chromaticities", &places) == 0
        space =
            isStated
            ? ColourSpace(
                red: (places.red_x, places.red_y), green: (places.green_x, places.green_y),
                blue: (places.blue_x, places.blue_y))
            : nil
    }

    /// The most pixels of a side of a tile, because a header can claim so many that the count of their bytes overflows.
    private static let largestTile: UInt32 = 1 << 16

    private static func chunk(
        _ context: exr_context_t, _ index: Int32, width: Int, isTiled: Bool
    ) -> (width: Int, height: Int)? {
        var (across, down, rows): (UInt32, UInt32, Int32) = (0, 0, 0)
        var (levels, rounding) = (EXR_TILE_ONE_LEVEL, EXR_TILE_ROUND_DOWN)
        if isTiled {
            guard exr_get_tile_descriptor(context, index, &across, &down, &levels, &rounding) == 0,
                max(across, down) <= largestTile
            else { return nil }
        } else {
            guard exr_get_scanlines_per_chunk(context, index, &rows) == 0 else { return nil }
        }
        let size = isTiled ? (Int(across), Int(down)) : (width, Int(rows))
        return size.0 > 0 && size.1 > 0 ? size : nil
    }
}

/// Which channels of a part are its colours, by their names (OpenEXR, "Channel names").
struct EXRColours {
    /// The places of red, green and blue, or of RY, Y and BY; `nil` for a missing one.
    let places: [Int?]
    let isLuminance: Bool
    /// The places of the same layer's coverage and depth; `nil` for a missing one.
    let alpha: Int?
    let depth: Int?

    /// The colours outside of layers, else those of the first layer that has some; `nil` if none has.
    init?(_ names: [String]) {
        let layers = names.compactMap { name in name.lastIndex(of: ".").map { String(name[...$0]) } }
        for layer in [""] + layers {
            let colours = ["R", "G", "B"].map { names.firstIndex(of: layer + $0) }
            let differences = ["RY", "Y", "BY"].map { names.firstIndex(of: layer + $0) }
            let isColoured = colours.contains { $0 != nil }
            guard isColoured || differences[1] != nil else { continue }
            (places, isLuminance) = isColoured ? (colours, false) : (differences, true)
            alpha = names.firstIndex(of: layer + "A")
            depth = names.firstIndex(of: layer + "Z") ?? names.firstIndex(of: "Z")
            return
        }
        return nil
    }
}
