/// Amounts as the user writes and reads them: `8M`, `1.5 GB`, `1h30m`.
package enum Quantity {
    /// The bytes in `8M`, `1.5 GB`, `6 MiB` or `200000`; `nil` if `text` is not an amount.
    ///
    /// `k M G T` are powers of 1000, `Ki Mi Gi Ti` of 1024; case does not matter, a `B` may
    /// follow, and so may `/s`.
    package static func bytes(_ text: String) -> Int? {
        var rest = text.lowercased()[...]
        if rest.hasSuffix("/s") { rest = rest.dropLast(2) }
        guard let (number, unit) = numberAndUnit(&rest), rest.isEmpty else { return nil }
        guard let scale = byteUnits[unit.hasSuffix("b") ? String(unit.dropLast()) : unit] else { return nil }
        return Int(exactly: (number * scale).rounded())
    }

    /// The duration in `90`, `500ms`, `10s`, `1h30m` or `7 days`; a bare number is seconds, and stands alone.
    package static func duration(_ text: String) -> Duration? {
        var rest = text.lowercased()[...]
        var (total, count) = (0.0, 0)
        repeat {
            guard let (number, unit) = numberAndUnit(&rest), let scale = timeUnits[unit] else { return nil }
            // "1h30" and "1 000 s" are refused, because their meaning would be a guess.
            guard !unit.isEmpty || count == 0 && rest.isEmpty else { return nil }
            total += number * scale
            count += 1
        } while !rest.isEmpty
        return total < 1e12 ? .milliseconds(Int64((total * 1000).rounded())) : nil
    }

    private static let byteUnits: [String: Double] = [
        "": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12,
        "ki": 1024, "mi": 1_048_576, "gi": 1_073_741_824, "ti": 1_099_511_627_776,
    ]

    private static let timeUnits: [String: Double] = [
        "": 1, "ms": 0.001, "s": 1, "sec": 1, "second": 1, "seconds": 1, "m": 60, "min": 60, "minute": 60,
        "minutes": 60, "h": 3600, "hour": 3600, "hours": 3600, "d": 86400, "day": 86400, "days": 86400,
        "w": 604_800, "week": 604_800, "weeks": 604_800,
    ]

    /// Takes `1.5 GB` off the front of `text`: a number, spaces, letters, spaces.
    private static func numberAndUnit(_ text: inout Substring) -> (Double, String)? {
        text = text.drop(while: \.isWhitespace)
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let number = Double(digits) else { return nil }
        text = text.dropFirst(digits.count).drop(while: \.isWhitespace)
        let unit = text.prefix(while: \.isLetter)
        text = text.dropFirst(unit.count).drop(while: \.isWhitespace)
        return (number, String(unit))
    }
}

extension Quantity {
    /// Bytes for the user, with at most three digits before the unit: `999 B`, `1.2 MB`, `34 GB`.
    package static func text(bytes: some BinaryInteger) -> String {
        let units = ["B", "kB", "MB", "GB", "TB", "PB"]
        var value = Double(bytes)
        var unit = 0
        while value >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return "\(unit == 0 ? String(Int(value)) : short(value)) \(units[unit])"
    }

    /// Bytes per second for the user, such as `1.2 MB/s`.
    package static func text(bytesPerSecond rate: Double) -> String {
        // 9e18 is below `Int64.max`, so the conversion cannot trap.
        text(bytes: Int64(min(max(0, rate.isFinite ? rate : 0).rounded(), 9e18))) + "/s"
    }

    /// A length of time for the user, in its two largest units: `45 s`, `2 min 5 s`, `3 days 4 h`.
    package static func text(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        switch seconds {
        case 0 where duration > .zero: return "\(duration.components.attoseconds / 1_000_000_000_000_000) ms"
        case ..<60: return "\(seconds) s"
        case ..<3600: return pair(seconds / 60, "min", seconds % 60, "s")
        case ..<86400: return pair(seconds / 3600, "h", seconds % 3600 / 60, "min")
        default: return pair(seconds / 86400, seconds < 172_800 ? "day" : "days", seconds % 86400 / 3600, "h")
        }
    }

    /// Files and thumbnails, counted separately: `5 files, 5 pictures`; a count of 0 is left out.
    package static func text(files: Int, pictures: Int) -> String {
        guard pictures > 0 else { return text(files, "file") }
        let pictures = text(pictures, "picture")
        return files > 0 ? "\(text(files, "file")), \(pictures)" : pictures
    }

    /// A number with its noun, such as `1 file` and `12,345 files`; the plural is formed with an "s".
    package static func text(_ count: some BinaryInteger, _ noun: String) -> String {
        "\(text(count: count)) \(noun)\(count == 1 ? "" : "s")"
    }

    /// A number with a comma between thousands, such as `12,345`.
    package static func text(count: some BinaryInteger) -> String {
        let digits = String(count.magnitude)
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { grouped += "," }
            grouped.append(digit)
        }
        return (count < 0 ? "-" : "") + grouped
    }

    private static func pair(_ large: Int64, _ largeUnit: String, _ small: Int64, _ smallUnit: String) -> String {
        small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
    }

    /// One decimal below ten and none above, without a trailing `.0`.
    private static func short(_ value: Double) -> String {
        guard value < 9.95 else { return String(Int(value.rounded())) }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}

extension Quantity {
    /// Bytes without rounding, in the largest unit that divides them: `200 kB`, `6 MiB`, `1234`.
    package static func exact(bytes: Int) -> String {
        let units = [
            (1 << 40, "TiB"), (1_000_000_000_000, "TB"), (1 << 30, "GiB"), (1_000_000_000, "GB"),
            (1 << 20, "MiB"), (1_000_000, "MB"), (1 << 10, "KiB"), (1000, "kB"),
        ]
        for (size, unit) in units where bytes >= size && bytes % size == 0 { return "\(bytes / size) \(unit)" }
        return String(bytes)
    }

    /// A duration without rounding, in the largest unit that divides it: `36h`, `90s`, `1500ms`.
    package static func exact(_ duration: Duration) -> String {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        let units: [(Int64, String)] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1000, "s")]
        for (size, unit) in units where milliseconds >= size && milliseconds % size == 0 {
            return "\(milliseconds / size)\(unit)"
        }
        return milliseconds == 0 ? "0s" : "\(milliseconds)ms"
    }
}
