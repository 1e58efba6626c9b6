import CJPEG
import MediaModel
import Testing

@testable import Frames

/// A JPEG as libjpeg writes it, with what FFmpeg's encoder cannot be asked for.
struct ScannedJPEG: CustomTestStringConvertible, Sendable {
    /// What one scan holds (ITU-T T.81, B.2.3).
    struct Scan: Sendable {
        var components: [Int]
        var band: ClosedRange<Int>
        /// Bits left to later scans before this one, 0 for none, and after it.
        var high = 0
        var low = 0
    }

    /// How its scans lie.
    enum Coding: Sendable {
        case baseline
        /// As most programs write them.
        case progressive
        case scans([Scan])
    }

    var picture: Bitmap
    var coding = Coding.progressive
    /// Samples of brightness for each of colour, across and down.
    var sampling = (across: 2, down: 2)
    var isGrey = false
    var quality = 90
    /// Units between restart markers; 0 for none.
    var interval = 0

    /// A failed test would print every pixel.
    var testDescription: String {
        "\(picture.width) × \(picture.height), \(isGrey ? "grey" : "\(sampling)"), restarts: \(interval)"
    }

    func encoded() -> [UInt8] {
        var errors = jpeg_error_mgr()
        var info = jpeg_compress_struct()
        return withUnsafeMutablePointer(to: &errors) { errors in
            withUnsafeMutablePointer(to: &info) { info in
                info.pointee.err = jpeg_std_error(errors)
                jpeg_CreateCompress(info, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
                defer { jpeg_destroy_compress(info) }
                var bytes: UnsafeMutablePointer<UInt8>?
                var count: UInt = 0
                jpeg_mem_dest(info, &bytes, &count)
                set(info)
                write(to: info)
                defer { free(bytes) }
                return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
            }
        }
    }

    private func set(_ info: UnsafeMutablePointer<jpeg_compress_struct>) {
        (info.pointee.image_width, info.pointee.image_height) = (UInt32(picture.width), UInt32(picture.height))
        info.pointee.input_components = isGrey ? 1 : 3
        info.pointee.in_color_space = isGrey ? JCS_GRAYSCALE : JCS_RGB
        jpeg_set_defaults(info)
        jpeg_set_quality(info, Int32(quality), 1)
        info.pointee.comp_info[0].h_samp_factor = Int32(sampling.across)
        info.pointee.comp_info[0].v_samp_factor = Int32(sampling.down)
        info.pointee.restart_interval = UInt32(interval)
        if case .progressive = coding { jpeg_simple_progression(info) }
    }

    private func write(to info: UnsafeMutablePointer<jpeg_compress_struct>) {
        var script: [jpeg_scan_info] = []
        if case .scans(let scans) = coding { script = scans.map(Self.info) }
        script.withUnsafeBufferPointer { script in
            if !script.isEmpty {
                (info.pointee.scan_info, info.pointee.num_scans) = (script.baseAddress, Int32(script.count))
            }
            jpeg_start_compress(info, 1)
            for y in 0..<picture.height {
                var row = Array(picture.rgb[y * picture.width * 3..<(y + 1) * picture.width * 3])
                // Green is most of the brightness.
                if isGrey { row = stride(from: 1, to: row.count, by: 3).map { row[$0] } }
                row.withUnsafeMutableBufferPointer { row in
                    var start = row.baseAddress
                    _ = jpeg_write_scanlines(info, &start, 1)
                }
            }
            jpeg_finish_compress(info)
        }
    }

    private static func info(_ scan: Scan) -> jpeg_scan_info {
        var info = jpeg_scan_info()
        info.comps_in_scan = Int32(scan.components.count)
        withUnsafeMutableBytes(of: &info.component_index) { bytes in
            for (place, component) in scan.components.enumerated() {
                bytes.storeBytes(of: Int32(component), toByteOffset: place * 4, as: Int32.self)
            }
        }
        (info.Ss, info.Se) = (Int32(scan.band.lowerBound), Int32(scan.band.upperBound))
        (info.Ah, info.Al) = (Int32(scan.high), Int32(scan.low))
        return info
    }
}
