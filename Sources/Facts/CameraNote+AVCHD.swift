import MediaModel

extension CameraNote {
    /// The message within a coded picture (ExifTool, H264 tags: MDPM; ITU-T H.264, D.1.7); `nil` if it has none.
    package init?(avchd bytes: [UInt8]) {
        guard let place = bytes.withUnsafeBufferPointer({ $0.place(of: Self.mark) }) else { return nil }
        let message = Self.plain(bytes[(place + Self.mark.count)...].prefix(Self.longest * 3 / 2))
        guard let count = message.first.map(Int.init) else { return nil }
        var entries: [UInt8: [UInt8]] = [:]
        for index in 0..<count where 6 + index * 5 <= message.count {
            entries[message[1 + index * 5]] = Array(message[(2 + index * 5)..<(6 + index * 5)])
        }
        if let day = entries[0x18], let clock = entries[0x19] {
            time = Self.time(day.dropFirst() + clock)
            time?.offset = Self.offset(day[0])
        }
        maker = entries[0xE0].flatMap { Self.makers[Int($0[0]) << 8 | Int($0[1])] }
        guard maker == Self.makers[0x0108] else { return }
        let name = [0xE4, 0xE5, 0xE6].compactMap { entries[$0] }.joined().prefix { (0x21..<0x7F).contains($0) }
        model = name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    private static let mark: [UInt8] =
        [
            0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66,
        ] + Array("MDPM".utf8)
    /// The most bytes of a message: its entries are counted in one byte.
    private static let longest = 1 + 255 * 5
    /// Of these only Sony writes a name.
    private static let makers = [0x0103: "Panasonic", 0x0108: "Sony", 0x1011: "Canon", 0x1104: "JVC"]

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
