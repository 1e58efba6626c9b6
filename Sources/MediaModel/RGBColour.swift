/// A colour in sRGB.
package struct RGBColour: Codable, Hashable, Sendable {
    /// 0 to 255, in sRGB's transfer curve.
    package var red: UInt8
    /// 0 to 255, in sRGB's transfer curve.
    package var green: UInt8
    /// 0 to 255, in sRGB's transfer curve.
    package var blue: UInt8

    /// The default background of transparent pictures.
    package static let white = RGBColour(red: 255, green: 255, blue: 255)

    /// A dark grey if the colour is bright, else white: in front of it is seen what cannot be told from the colour.
    package var contrasting: RGBColour {
        let brightness = (299 * Int(red) + 587 * Int(green) + 114 * Int(blue)) / 1000  // ITU-R BT.601, 2.5.1
        return brightness < 128 ? .white : RGBColour(red: 64, green: 64, blue: 64)
    }

    /// A colour from its sRGB values.
    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The colour written `#rrggbb` in hexadecimal; `nil` for anything else.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6, digits.first != UInt8(ascii: "+"),
            digits.first != UInt8(ascii: "-"), let number = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        self.init(
            red: UInt8(number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
            blue: UInt8(truncatingIfNeeded: number))
    }

    /// The colour written `#rrggbb` in lowercase hexadecimal.
    package var hexadecimal: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
