/// A number with its unit.
struct Figure: Hashable, Sendable {
    let value: Double
    let unit: Unit

    enum Unit: String, Hashable, Sendable {
        case files
        case filesPerSecond = "files/s"
        case changesPerSecond = "changes/s"
        case wakeupsPerSecond = "wakeups/s"
        case bytesPerSecond = "B/s"
        case requestsPerObject = "requests/object"
        case seconds = "s"
        /// Bytes of a file.
        case bytes = "B"
        /// Bytes of memory, shown in powers of 1024.
        case memory = "B of memory"
    }

    init(_ value: Double, _ unit: Unit) {
        self.value = value
        self.unit = unit
    }

    /// The text for the user, with three digits: `1.23 s`, `240 MB/s`, `31.5 MiB`.
    var text: String {
        switch unit {
        case .files: "\(Self.digits(value, places: 0)) file\(value == 1 ? "" : "s")"
        case .seconds where value < 1: "\(Self.digits(value * 1000)) ms"
        case .bytes where value < 1e6: "\(Self.digits(value / 1e3)) kB"
        case .bytes: "\(Self.digits(value / 1e6)) MB"
        case .memory: "\(Self.digits(value / 1_048_576)) MiB"
        case .bytesPerSecond: "\(Self.digits(value / 1e6)) MB/s"
        default: "\(Self.digits(value)) \(unit.rawValue)"
        }
    }

    /// Three significant digits, a comma between thousands, no exponent; a dash for huge and infinite numbers and NaN.
    ///
    /// - Parameter places: Digits after the point; `nil` for as many as make three in all.
    static func digits(_ value: Double, places: Int? = nil) -> String {
        guard value.magnitude < 1e15 else { return "–" }
        if value < 0 { return "-" + digits(-value, places: places) }
        let places = places ?? (value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2)
        let scale = [1.0, 10, 100][places]
        let rounded = Int((value * scale).rounded())
        let (whole, part) = rounded.quotientAndRemainder(dividingBy: Int(scale))
        let fraction = places == 0 ? "" : "." + String(repeating: "0", count: places - "\(part)".count) + "\(part)"
        return grouped(whole) + fraction
    }

    private static func grouped(_ number: Int) -> String {
        let digits = Array("\(number)")
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}
