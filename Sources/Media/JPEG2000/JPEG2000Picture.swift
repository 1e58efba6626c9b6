import CFFmpeg
import COpenJPEG
import Frames

/// The pixels of a JPEG 2000 in bytes.
struct JPEG2000Picture {
    /// A component: brightness, a colour, or alpha.
    private struct Plane {
        let samples: UnsafePointer<Int32>
        let (width, height): (Int, Int)
        /// What is added to a signed sample, so that black is 0; 0 for an unsigned one.
        let zero: Int32
        /// The greatest value of a sample.
        let most: Int32

        /// `nil` if the component was not decoded.
        init?(_ component: opj_image_comp_t) {
            guard let data = component.data, component.w > 0, component.h > 0, (1...31).contains(component.prec) else {
                return nil
            }
            samples = UnsafePointer(data)
            (width, height) = (Int(component.w), Int(component.h))
            zero = component.sgnd != 0 ? 1 << Int32(component.prec - 1) : 0
            most = Int32(truncatingIfNeeded: (Int64(1) << Int64(component.prec)) - 1)
        }

        /// Writes row `y` of a picture of this size as bytes, each `step` after the one before.
        func write(
            _ y: Int, of size: (width: Int, height: Int), into target: UnsafeMutablePointer<UInt8>, step: Int
        ) {
            let row = samples + min(height - 1, y * height / size.height) * width
            let isWhole = width == size.width
            for x in 0..<size.width {
                let value = min(max(row[isWhole ? x : x * width / size.width] &+ zero, 0), most)
                target[x * step] = most == 255 ? UInt8(value) : UInt8(Int64(value) * 255 / Int64(most))
            }
        }
    }

    private let planes: [Plane]
    private let (width, height): (Int, Int)
    /// Whether the planes are brightness and two differences of colour.
    private let isYCC: Bool
    private let isInk: Bool
    private let hasAlpha: Bool
    private let profile: UnsafeBufferPointer<UInt8>

    /// `nil` if a component was not decoded.
    ///
    /// - Parameter image: Must outlive this value.
    init?(_ image: opj_image_t) {
        let components = Self.shown(image)
        planes = components.compactMap(Plane.init)
        guard planes.count == components.count, let first = planes.first else { return nil }
        (width, height) = (planes.map(\.width).max() ?? first.width, planes.map(\.height).max() ?? first.height)
        let isSmaller = planes.count >= 3 && (planes[1].width < first.width || planes[1].height < first.height)
        isYCC = planes.count >= 3 && ([OPJ_CLRSPC_SYCC, OPJ_CLRSPC_EYCC].contains(image.color_space) || isSmaller)
        isInk = image.color_space == OPJ_CLRSPC_CMYK && planes.count == 4
        hasAlpha = !isInk && planes.count % 2 == 0
        profile = UnsafeBufferPointer(start: image.icc_profile_buf, count: Int(image.icc_profile_len))
    }

    /// The components that make the picture, the colours first, whatever their order.
    ///
    /// Of more than four those beyond the inks, the three colours or the grey are left out, alpha too, because each may
    /// belong to one of several colours alone.
    private static func shown(_ image: opj_image_t) -> [opj_image_comp_t] {
        let components = Array(UnsafeBufferPointer(start: image.comps, count: Int(image.numcomps)))
        let colours = components.filter { $0.alpha == 0 }
        guard components.count > 4 else { return colours + components.filter { $0.alpha != 0 } }
        let count = image.color_space == OPJ_CLRSPC_CMYK ? 4 : image.color_space == OPJ_CLRSPC_GRAY ? 1 : 3
        return Array(colours.prefix(colours.count < count ? 1 : count))
    }

    /// Grey, colours, or colours with alpha.
    func frame() throws(FFmpegError) -> Frame {
        let format = hasAlpha ? AV_PIX_FMT_RGBA : planes.count == 1 ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24
        let frame = try Frame.blank(width: width, height: height, format: format)
        guard let target = frame.pointer.pointee.data.0 else { return frame }
        let transform = isInk ? ColourTransform(inks: profile) : nil
        var inks = [UInt8](repeating: 0, count: isInk ? width * 4 : 0)
        for y in 0..<height {
            let row = target + y * Int(frame.pointer.pointee.linesize.0)
            if isInk {
                inks.withUnsafeMutableBufferPointer { buffer in
                    guard let start = buffer.baseAddress else { return }
                    paint(y, into: start, step: 4)
                    start.paintInks(width, by: transform, into: row)
                }
            } else {
                paint(y, into: row, step: hasAlpha ? 4 : planes.count)
            }
        }
        if !isInk, profile.count > 0 { frame.setProfile(profile) }
        return frame
    }

    private func paint(_ y: Int, into row: UnsafeMutablePointer<UInt8>, step: Int) {
        let isGrey = planes.count == 2
        for (index, plane) in planes.enumerated() {
            plane.write(y, of: (width, height), into: row + (isGrey && index == 1 ? 3 : index), step: step)
        }
        if isGrey {
            for x in 0..<width { (row[x * 4 + 1], row[x * 4 + 2]) = (row[x * 4], row[x * 4]) }
        }
        if isYCC { colour(row, step) }
    }

    /// Converts brightness and differences of colour to red, green and blue (ITU-R BT.601, full range), in 1/65536.
    private func colour(_ row: UnsafeMutablePointer<UInt8>, _ step: Int) {
        func byte(_ value: Int) -> UInt8 { UInt8(min(max((value + 1 << 15) >> 16, 0), 255)) }
        for x in 0..<width {
            let pixel = row + x * step
            let (light, blue, red) = (Int(pixel[0]) << 16, Int(pixel[1]) - 128, Int(pixel[2]) - 128)
            pixel[0] = byte(light + 91_881 * red)
            pixel[1] = byte(light - 22_554 * blue - 46_802 * red)
            pixel[2] = byte(light + 116_130 * blue)
        }
    }
}
