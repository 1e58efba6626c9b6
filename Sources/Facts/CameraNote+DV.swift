extension CameraNote {
    /// The note in a frame of DV (IEC 61834-4: the packs REC DATE and REC TIME; ExifTool's DV); `nil` if it has none.
    ///
    /// The camcorders' byte for the zone is left out, because hardly any of them sets it.
    package init?(dv frame: [UInt8]) {
        for start in stride(from: 80, to: 480, by: 80) where start + 80 <= frame.count && frame[start] >> 4 == 5 {
            let packs = (0..<15).map { Array(frame[start + 3 + $0 * 5..<start + 8 + $0 * 5]) }
            guard let place = packs.firstIndex(where: { $0[0] == 0x62 }), place + 1 < packs.count,
                packs[place + 1][0] == 0x63
            else { continue }
            let (date, clock) = (packs[place], packs[place + 1])
            // Two digits of the year: the tapes are of 1995 and later.
            let century: UInt8 = date[4] < 0x90 ? 0x20 : 0x19
            time = Self.time([
                century, date[4], date[3] & 0x1F, date[2] & 0x3F, clock[4] & 0x3F, clock[3] & 0x7F, clock[2] & 0x7F,
            ])
            if time != nil { return }
        }
        return nil
    }
}
