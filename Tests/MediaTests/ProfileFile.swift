import Foundation

@testable import Frames

/// The smallest ICC profile: three primaries and one gamma (ICC.1:2001, 6.3.1.2).
enum ProfileFile {
    /// Display P3's primaries adapted to D50, with a gamma of 2.2.
    static let displayP3 = profile(
        red: (0.51512, 0.24120, -0.00105), green: (0.29198, 0.69225, 0.04189), blue: (0.15710, 0.06657, 0.78407))

    /// A damaged one: its primaries have no light.
    static let dark = profile(red: (0, 0, 0), green: (0, 0, 0), blue: (0, 0, 0))

    /// One of four inks without its tables, so that no program can convert by it.
    static let inks = header(size: 132, of: "prtrCMYKLab ") + long(0)

    /// One of grey with this gamma.
    static func grey(gamma: Double) -> [UInt8] {
        let curve = curve(gamma)
        let tags = [("wtpt", place((0.96420, 1, 0.82491))), ("kTRC", curve)]
        return file(of: "mntrGRAYXYZ ", tags)
    }

    private static let gamma = 2.2

    /// The sRGB bytes of a colour with these numbers in `displayP3`, in double precision.
    static func standard(of numbers: [UInt8]) -> [Int] {
        let light = numbers.map { pow(Double($0) / 255, gamma) }
        let columns = [(0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407)]
        var xyz = (0.0, 0.0, 0.0)
        for (share, column) in zip(light, columns) {
            xyz = (xyz.0 + share * column.0, xyz.1 + share * column.1, xyz.2 + share * column.2)
        }
        // XYZ of D50 to sRGB: the inverse of sRGB's adapted primaries.
        let rows = [(3.13386, -1.61687, -0.49062), (-0.97877, 1.91614, 0.03345), (0.07194, -0.22899, 1.40524)]
        return rows.map { row in
            let value = min(1, max(0, row.0 * xyz.0 + row.1 * xyz.1 + row.2 * xyz.2))
            let coded = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
            return Int((coded * 255).rounded())
        }
    }

    /// The JPEG with a profile in an APP2 segment (ICC.1:2010, B.4).
    static func inserted(_ profile: [UInt8] = displayP3, into jpeg: [UInt8]) -> [UInt8] {
        let payload = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
        let length = payload.count + 2
        return Array(jpeg[..<2]) + [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + payload + jpeg[2...]
    }

    private typealias Place = (Double, Double, Double)

    private static func profile(red: Place, green: Place, blue: Place) -> [UInt8] {
        let curve = curve(gamma)
        let tags = [
            ("wtpt", place((0.96420, 1, 0.82491))), ("rXYZ", place(red)), ("gXYZ", place(green)),
            ("bXYZ", place(blue)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
        ]
        return file(of: "mntrRGB XYZ ", tags)
    }

    private static func curve(_ gamma: Double) -> [UInt8] {
        Array("curv".utf8) + long(0) + long(1) + short(Int((gamma * 256).rounded())) + [0, 0]
    }

    private static func file(of kind: String, _ tags: [(String, [UInt8])]) -> [UInt8] {
        var directory = long(tags.count)
        var content: [UInt8] = []
        let start = 128 + 4 + tags.count * 12
        for (name, bytes) in tags {
            directory += Array(name.utf8) + long(start + content.count) + long(bytes.count)
            content += bytes
        }
        return header(size: start + content.count, of: kind) + directory + content
    }

    private static func header(size: Int, of kind: String) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 128)
        func put(_ bytes: [UInt8], at offset: Int) {
            header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
        put(long(size), at: 0)
        put([2, 0x40], at: 8)
        put(Array(kind.utf8), at: 12)
        put(Array("acsp".utf8), at: 36)
        put(fixed(0.96420) + fixed(1) + fixed(0.82491), at: 68)
        return header
    }

    private static func place(_ place: Place) -> [UInt8] {
        Array("XYZ ".utf8) + long(0) + fixed(place.0) + fixed(place.1) + fixed(place.2)
    }

    private static func fixed(_ value: Double) -> [UInt8] { long(Int((value * 65536).rounded())) }
    private static func long(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    private static func short(_ value: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: value >> 8), UInt8(value & 0xFF)] }
}
