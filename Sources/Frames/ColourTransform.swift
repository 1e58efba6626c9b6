import CFFmpeg
import CLCMS

/// Converts a picture's own colours to sRGB with Little CMS; closed with its owner.
package struct ColourTransform: ~Copyable {
    private let transform: cmsHTRANSFORM

    /// From an ICC profile; `nil` if it is unreadable, not for RGB, or makes white dark, as only damaged ones do.
    ///
    /// - Parameter isGrey: Whether all three bytes of each pixel are equal, so that a profile for grey will do.
    package init?(profile bytes: UnsafeBufferPointer<UInt8>, isGrey: Bool = false) {
        guard let source = cmsOpenProfileFromMem(bytes.baseAddress, cmsUInt32Number(bytes.count)) else { return nil }
        defer { cmsCloseProfile(source) }
        switch cmsGetColorSpace(source) {
        case cmsSigRgbData: self.init(from: source, hasLightWhite: true)
        case cmsSigGrayData where isGrey: self.init(from: source, bytes: clcms_grey8, hasLightWhite: true)
        default: return nil
        }
    }

    /// From the chromaticities of the primaries and a transfer curve.
    package init?(_ space: ColourSpace) {
        let curve: OpaquePointer? =
            space.gamma.map { cmsBuildGamma(nil, $0) } ?? cmsBuildParametricToneCurve(nil, 4, Self.standardCurve)
        guard let curve else { return nil }
        defer { cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: space.red.x, y: space.red.y, Y: 1),
            Green: cmsCIExyY(x: space.green.x, y: space.green.y, Y: 1),
            Blue: cmsCIExyY(x: space.blue.x, y: space.blue.y, Y: 1))
        var curves: [OpaquePointer?] = [curve, curve, curve]
        guard let source = cmsCreateRGBProfile(&white, &primaries, &curves) else { return nil }
        defer { cmsCloseProfile(source) }
        self.init(from: source)
    }

    /// From an ICC profile for four inks, whose bytes grow with the ink; `nil` if it is unreadable or not for inks.
    package init?(inks bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = cmsOpenProfileFromMem(bytes.baseAddress, cmsUInt32Number(bytes.count)) else { return nil }
        defer { cmsCloseProfile(source) }
        guard cmsGetColorSpace(source) == cmsSigCmykData else { return nil }
        self.init(from: source, bytes: clcms_cmyk8)
    }

    /// From CIE L*a*b* as ICC profiles code it in bytes.
    package static func lab() -> ColourTransform? {
        guard let source = cmsCreateLab4Profile(nil) else { return nil }
        defer { cmsCloseProfile(source) }
        return ColourTransform(from: source, bytes: clcms_lab8)
    }

    /// - Parameter hasLightWhite: Whether to refuse a profile that shows the largest values as a dark colour.
    private init?(from source: cmsHPROFILE, bytes: cmsUInt32Number = clcms_rgb8, hasLightWhite: Bool = false) {
        guard let standard = cmsCreate_sRGBProfile() else { return nil }
        defer { cmsCloseProfile(standard) }
        let intent = cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC)
        guard let made = cmsCreateTransform(source, bytes, standard, clcms_rgb8, intent, 0) else { return nil }
        var white: [UInt8] = [255, 255, 255]
        if hasLightWhite { cmsDoTransform(made, [255, 255, 255] as [UInt8], &white, 1) }
        guard white.allSatisfy({ $0 > 127 }) else {
            cmsDeleteTransform(made)
            return nil
        }
        transform = made
    }

    deinit { cmsDeleteTransform(transform) }

    /// IEC 61966-2-1 in the form of Little CMS: gamma, a, b, c, d.
    private static let standardCurve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]

    /// Whether it changes no colour by more than a JPEG's own losses do.
    var isIdentity: Bool {
        let steps: [UInt8] = [0, 40, 96, 160, 220, 255]
        let probe = steps.flatMap { red in steps.flatMap { green in steps.flatMap { [red, green, $0] } } }
        var result = probe
        cmsDoTransform(transform, probe, &result, cmsUInt32Number(probe.count / 3))
        return zip(probe, result).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
    }

    /// Converts `count` pixels.
    package func apply(_ pixels: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, count: Int) {
        cmsDoTransform(transform, pixels, target, cmsUInt32Number(count))
    }

    /// Changes a frame of red, green and blue bytes in place.
    package func apply(to frame: borrowing Frame) {
        guard let data = frame.pointer.pointee.data.0 else { return }
        for row in 0..<frame.height {
            let pixels = data + row * Int(frame.pointer.pointee.linesize.0)
            cmsDoTransform(transform, pixels, pixels, cmsUInt32Number(frame.width))
        }
    }
}
