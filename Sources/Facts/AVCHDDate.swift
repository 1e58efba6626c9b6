package import MediaModel

/// When a camcorder recorded a picture, from a message within it (ExifTool, H264 tags: MDPM; ITU-T H.264, D.1.7).
package enum AVCHDDate {
    private static let mark: [UInt8] =
        [
            0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66,
        ] + Array("MDPM".utf8)
    private static let day: UInt8 = 0x18
    private static let clock: UInt8 = 0x19
    /// The most bytes of a message: its entries are counted in one byte.
    private static let longest = 1 + 255 * 5

    /// The time by the camcorder's clock, from the bytes of a coded picture; `nil` if it states none.
    package static func time(in bytes: [UInt8]) -> CivilTime? {
        guard let place = bytes.withUnsafeBufferPointer({ $0.place(of: mark) }) else { return nil }
        let message = plain(bytes[(place + mark.count)...].prefix(longest * 3 / 2))
        guard let count = message.first.map(Int.init) else { return nil }
        var entries: [UInt8: ArraySlice<UInt8>] = [:]
        for index in 0..<count where 6 + index * 5 <= message.count {
            entries[message[1 + index * 5]] = message[(2 + index * 5)..<(6 + index * 5)]
        }
        guard let day = entries[day].map(Array.init), let clock = entries[clock].map(Array.init) else { return nil }
        // Each byte has two decimal digits, which its hexadecimal form shows.
        let words = (day.dropFirst() + clock).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        var time = CivilTime(
            exif: "\(words[0])\(words[1]):\(words[2]):\(words[3]) \(words[4]):\(words[5]):\(words[6])")
        time?.offset = offset(day[0])
        return time
    }

    /// The zone has a bit for summer time, one for the west, four for hours and one for half an hour.
    private static func offset(_ zone: UInt8) -> Int {
        let seconds = Int(zone >> 1 & 15) * 3600 + Int(zone & 1) * 1800
        return (zone & 0x20 == 0 ? seconds : -seconds) + (zone & 0x40 == 0 ? 0 : 3600)
    }

    /// Removes the threes that were inserted so that zeros are not taken for a mark (H.264, 7.4.1).
    private static func plain(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var (zeros, result) = (0, [UInt8]())
        for byte in bytes {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }
}
