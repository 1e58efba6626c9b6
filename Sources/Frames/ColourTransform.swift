import CFFmpeg
import CLCMS
import Glibc
import Synchronization

/// Converts a picture's own colours to sRGB with Little CMS; closed with its owner.
package struct ColourTransform: ~Copyable {
    private let made: Made
    private var transform: cmsHTRANSFORM { made.transform }

    /// Little CMS's transform, which several threads may use.
    private final class Made: @unchecked Sendable {
        let transform: cmsHTRANSFORM

        init(_ transform: cmsHTRANSFORM) {
            self.transform = transform
        }

        deinit { cmsDeleteTransform(transform) }
    }

    /// A transform, and the profile of which it was made.
    private struct Kept {
        let profile: [UInt8]
        let bytes: cmsUInt32Number
        let made: Made

        func isMade(of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            // Profiles of printers have half a megabyte.
            guard profile.count == bytes.count, let start = bytes.baseAddress else { return false }
            return memcmp(profile, start, profile.count) == 0
        }
    }

    /// The last transforms made of profiles, the latest first, because a folder's pictures share a few of them.
    ///
    /// To make one takes 2.5 ms, as long as everything else on a small picture.
    private static let kept = Mutex<[Kept]>([])
    private static let mostKept = 4

    /// From an ICC profile; `nil` if it is unreadable, not for RGB, or makes white dark, as only damaged ones do.
    ///
    /// - Parameter isGrey: Whether all three bytes of each pixel are equal, so that a profile for grey will do.
    package init?(profile bytes: UnsafeBufferPointer<UInt8>, isGrey: Bool = false) {
        self.init(profile: bytes, hasLightWhite: true) { space in
            switch space {
            case cmsSigRgbData: clcms_rgb8
            case cmsSigGrayData where isGrey: clcms_grey8
            default: nil
            }
        }
    }

    /// - Parameter form: How the pixels of a colour space lie in memory; `nil` for one that is refused.
    private init?(
        profile bytes: UnsafeBufferPointer<UInt8>, hasLightWhite: Bool = false,
        form: (cmsColorSpaceSignature) -> cmsUInt32Number?
    ) {
        guard let source = cmsOpenProfileFromMem(bytes.baseAddress, cmsUInt32Number(bytes.count)) else { return nil }
        defer { cmsCloseProfile(source) }
        guard let form = form(cmsGetColorSpace(source)) else { return nil }
        if let known = Self.kept.withLock({ $0.first { $0.bytes == form && $0.isMade(of: bytes) } }) {
            self.init(known.made)
            return
        }
        self.init(from: source, bytes: form, hasLightWhite: hasLightWhite)
        let kept = Kept(profile: Array(bytes), bytes: form, made: made)
        Self.kept.withLock { $0 = [kept] + $0.prefix(Self.mostKept - 1) }
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
        self.init(profile: bytes) { $0 == cmsSigCmykData ? clcms_cmyk8 : nil }
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
        self.init(Made(made))
    }

    private init(_ made: Made) {
        self.made = made
    }

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
