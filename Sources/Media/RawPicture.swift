import CFFmpeg
import CRaw
import Frames
import MediaModel

/// An open camera original, closed with its owner.
struct RawPicture: ~Copyable {
    private let data: UnsafeMutablePointer<libraw_data_t>
    /// Bytes of the file.
    private let count: Int

    /// A picture that the camera itself developed.
    enum Preview {
        case jpeg([UInt8])
        case bitmap(Bitmap)
    }

    /// - Parameter bytes: The file, which must outlive this value.
    static func opened(_ bytes: UnsafeBufferPointer<UInt8>) throws(FFmpegError) -> RawPicture {
        guard let data = libraw_init(0) else {
            throw FFmpegError(call: "libraw_init", code: cffmpeg_error_out_of_memory)
        }
        let picture = RawPicture(data: data, count: bytes.count)
        let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        try check(libraw_open_buffer(data, start, bytes.count), "libraw_open_buffer")
        return picture
    }

    private init(data: UnsafeMutablePointer<libraw_data_t>, count: Int) {
        (self.data, self.count) = (data, count)
    }

    deinit { libraw_close(data) }

    /// The shape of the sensor's visible part, with the orientation that the camera recorded.
    var shape: Shape {
        let sizes = data.pointee.sizes
        return Shape(
            width: Int(sizes.width), height: Int(sizes.height),
            pixelAspect: (0.5...2).contains(sizes.pixel_aspect) ? sizes.pixel_aspect : 1,
            orientation: Self.orientation(sizes.flip))
    }

    /// From LibRaw's number, which is dcraw's: bit 0 mirrors, bit 1 turns upside down, bit 2 swaps the sides.
    private static func orientation(_ flip: Int32) -> Orientation {
        switch flip {
        case 3: Orientation(rotation: 180, isMirrored: false)
        case 5: Orientation(rotation: 270, isMirrored: false)
        case 6: Orientation(rotation: 90, isMirrored: false)
        default: .upright
        }
    }

    /// Whether the file is as long as Panasonic's codings need, which take at least 8 bits a pixel.
    var hasByteForEachPixel: Bool {
        let sizes = data.pointee.sizes
        return count >= Int(sizes.raw_width) * Int(sizes.raw_height)
    }

    var maker: String? { Self.text(data.pointee.idata.make) }
    var model: String? { Self.text(data.pointee.idata.model) }

    private static func text(_ field: some Any) -> String? {
        let bytes = withUnsafeBytes(of: field) { $0.prefix { $0 != 0 } + [] }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The largest preview; `nil` if the file has none or a damaged one.
    func preview() -> Preview? {
        guard libraw_unpack_thumb(data) == LIBRAW_SUCCESS.rawValue else { return nil }
        var code: Int32 = 0
        guard let image = libraw_dcraw_make_mem_thumb(data, &code) else { return nil }
        defer { libraw_dcraw_clear_mem(image) }
        let bytes = Self.bytes(of: image)
        if image.pointee.type == LIBRAW_IMAGE_JPEG { return .jpeg(bytes) }
        return Self.bitmap(image, bytes).map(Preview.bitmap)
    }

    /// The sensor's picture in sRGB, at half its size if that suffices, with the camera's white balance.
    ///
    /// - Parameter longSide: The fewest pixels of the longer side at half the size.
    func developed(for longSide: Int, maxPixels: Int) throws(FFmpegError) -> Frame {
        let sizes = data.pointee.sizes
        try FFmpegError.checkSize(Int(sizes.raw_width), Int(sizes.raw_height), limit: maxPixels, "libraw_unpack")
        data.pointee.params.half_size = max(sizes.width, sizes.height) / 2 >= longSide ? 1 : 0
        data.pointee.params.use_camera_wb = 1
        data.pointee.params.output_bps = 8
        data.pointee.params.user_flip = 0
        try Self.check(libraw_unpack(data), "libraw_unpack")
        if isFinishedScan { keepSamples() }
        try Self.check(libraw_dcraw_process(data), "libraw_dcraw_process")
        var code: Int32 = 0
        guard let image = libraw_dcraw_make_mem_image(data, &code) else {
            try Self.check(code, "libraw_dcraw_make_mem_image")
            throw FFmpegError(call: "libraw_dcraw_make_mem_image", code: cffmpeg_error_invalid_data)
        }
        defer { libraw_dcraw_clear_mem(image) }
        guard let bitmap = Self.bitmap(image, Self.bytes(of: image)) else {
            throw FFmpegError(call: "libraw_dcraw_make_mem_image", code: cffmpeg_error_invalid_data)
        }
        return try Frame.copy(of: bitmap)
    }

    /// Whether the samples are what a film scanner's program showed, in eight bits; LibRaw takes them for light.
    private var isFinishedScan: Bool {
        var decoder = libraw_decoder_info_t()
        guard libraw_get_decoder_info(data, &decoder) == 0, let name = decoder.decoder_name else { return false }
        return data.pointee.color.raw_bps <= 8 && String(cString: name).hasPrefix("nikon_coolscan")
    }

    /// Has the samples shown as they are.
    ///
    /// LibRaw stretches them to 16 bits, but leaves their maximum at 255.
    private func keepSamples() {
        data.pointee.params.user_sat = 65_535
        data.pointee.params.no_auto_bright = 1
        (data.pointee.params.gamm.0, data.pointee.params.gamm.1) = (1, 1)
        data.pointee.params.output_color = 0
        data.pointee.params.use_camera_wb = 0
    }

    private static func bytes(of image: UnsafeMutablePointer<libraw_processed_image_t>) -> [UInt8] {
        guard let offset = MemoryLayout<libraw_processed_image_t>.offset(of: \.data) else { return [] }
        let start = UnsafeRawPointer(image) + offset
        return Array(UnsafeRawBufferPointer(start: start, count: Int(image.pointee.data_size)))
    }

    private static func bitmap(
        _ image: UnsafeMutablePointer<libraw_processed_image_t>, _ bytes: [UInt8]
    ) -> Bitmap? {
        let (width, height) = (Int(image.pointee.width), Int(image.pointee.height))
        guard image.pointee.bits == 8, width > 0, height > 0 else { return nil }
        switch image.pointee.colors {
        case 3 where bytes.count >= width * height * 3:
            return Bitmap(width: width, height: height, rgb: Array(bytes.prefix(width * height * 3)))
        case 1 where bytes.count >= width * height:
            return Bitmap(width: width, height: height, rgb: bytes.prefix(width * height).flatMap { [$0, $0, $0] })
        default: return nil
        }
    }

    private static func check(_ code: Int32, _ call: String) throws(FFmpegError) {
        guard code != LIBRAW_SUCCESS.rawValue else { return }
        if let words = libraw_strerror(code) { DecoderLog.keep(String(cString: words)) }
        let isMemory = code == LIBRAW_UNSUFFICIENT_MEMORY.rawValue
        throw FFmpegError(call: call, code: isMemory ? cffmpeg_error_out_of_memory : cffmpeg_error_invalid_data)
    }
}
