/// The greys that X11 names by their percentage, such as `gray85`: FFmpeg knows names, but none with a number.
enum XPMGreys {
    /// The text of an XPM with such greys as it spells other colours, `#D9D9D9`; `nil` without any (X11, rgb.txt).
    static func spelled(in file: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var (spelled, taken) = ([UInt8](), 0)
        // A key of one letter stands before each colour: `c` for a screen that has colours.
        for place in file.indices.dropFirst().dropLast()
        where file[place] == UInt8(ascii: "c") && isBlank(file[place - 1]) && isBlank(file[place + 1]) {
            let start = file[(place + 1)...].firstIndex { !isBlank($0) } ?? file.endIndex
            let word = file[start...].prefix(8).prefix { !isBlank($0) && $0 != UInt8(ascii: "\"") }
            guard start >= taken, let percent = percent(of: word) else { continue }
            let digits = String((percent * 255 + 50) / 100 | 0x100, radix: 16).dropFirst()
            spelled += file[taken..<start]
            spelled += Array("#\(digits)\(digits)\(digits)".utf8)
            taken = word.endIndex
        }
        return taken > 0 ? spelled + file[taken...] : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func percent(of word: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let name = String(decoding: word, as: UTF8.self).lowercased()
        guard name.hasPrefix("gray") || name.hasPrefix("grey") else { return nil }
        return Int(name.dropFirst(4)).flatMap { (0...100).contains($0) ? $0 : nil }
    }
}
