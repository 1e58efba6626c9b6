import Formats
package import FoundationEssentials
package import Platform

/// Moments as text in UTC, such as `2026-11-20T10:00:00.123Z` (RFC 3339).
package enum ISO8601 {
    /// The text of `time` with `digits` digits of a second's fraction, 0 to 9; finer digits are cut off.
    package static func text(_ time: FileTime, digits: Int = 3) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        append(time, digits: digits, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text of a date, to the nearest millisecond.
    package static func text(_ date: Date, digits: Int = 3) -> String {
        text(FileTime(date), digits: digits)
    }

    /// Appends the text of `time` without making a string of it.
    package static func append(_ time: FileTime, digits: Int = 3, to bytes: inout [UInt8]) {
        let (seconds, fraction) = Int(time.nanoseconds).flooredQuotientAndRemainder(by: 1_000_000_000)
        let (days, clock) = seconds.flooredQuotientAndRemainder(by: 86_400)
        let day = CivilDay(number: days)
        append(day.year, 4, then: "-", to: &bytes)
        append(day.month, 2, then: "-", to: &bytes)
        append(day.day, 2, then: "T", to: &bytes)
        append(clock / 3_600, 2, then: ":", to: &bytes)
        append(clock / 60 % 60, 2, then: ":", to: &bytes)
        append(clock % 60, 2, then: digits > 0 ? "." : "Z", to: &bytes)
        guard digits > 0 else { return }
        let cut = (digits..<9).reduce(fraction) { fraction, _ in fraction / 10 }
        append(cut, min(digits, 9), then: "Z", to: &bytes)
    }

    /// `number` in exactly `width` digits.
    private static func append(
        _ number: Int, _ width: Int, then separator: Unicode.Scalar, to bytes: inout [UInt8]
    ) {
        var rest = number
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: width))
        for place in 1...width {
            bytes[bytes.count - place] += UInt8(rest % 10)
            rest /= 10
        }
        bytes.append(UInt8(ascii: separator))
    }
}

extension ISO8601 {
    /// The moment that `text` names, or `nil` if it does not have the form above.
    ///
    /// The fraction may have any number of digits, and `±hh:mm` may replace `Z`; a day alone is its midnight in UTC.
    /// Times that nanoseconds since 1970 cannot represent (before September 1677, after April 2262) are `nil` too.
    package static func time(_ text: some StringProtocol) -> FileTime? {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard let days = reader.days() else { return nil }
        var seconds = days * 86_400
        var fraction: Int64 = 0
        if !reader.rest.isEmpty {
            guard let clock = reader.clock(), let part = reader.fraction(), let offset = reader.offset(),
                reader.rest.isEmpty
            else { return nil }
            seconds += clock - offset
            fraction = part
        }
        // Before 1970, counts from the end of the second, because the earliest moment's second begins out of range.
        let isBefore = seconds < 0
        let (whole, overflows) = Int64(isBefore ? seconds + 1 : seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let part = isBefore ? fraction - 1_000_000_000 : fraction
        let (nanoseconds, overflowsToo) = whole.addingReportingOverflow(part)
        return overflows || overflowsToo ? nil : FileTime(nanoseconds: nanoseconds)
    }

    /// The moment that `text` names, as a date.
    package static func date(_ text: some StringProtocol) -> Date? {
        time(text).map(\.date)
    }

    /// Parses a time from its front.
    private struct Reader {
        var rest: ArraySlice<UInt8>

        /// A day, counted from 1970-01-01.
        mutating func days() -> Int? {
            guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2) else {
                return nil
            }
            return CivilDay(year: year, month: month, day: day).number
        }

        /// Seconds since midnight; a leap second is the next minute's first.
        mutating func clock() -> Int? {
            guard skip("Tt "), let hour = number(2), skip(":"), let minute = number(2), skip(":"),
                let second = number(2), hour < 24, minute < 60, second <= 60
            else { return nil }
            return hour * 3_600 + minute * 60 + second
        }

        /// Nanoseconds; 0 if no fraction is written.
        mutating func fraction() -> Int64? {
            guard skip(".") else { return 0 }
            let digits = rest.prefix(while: Self.isDigit)
            rest = rest.dropFirst(digits.count)
            guard !digits.isEmpty else { return nil }
            let value = digits.prefix(9).reduce(0) { $0 * 10 + Int64($1 - 48) }
            return (digits.count..<max(9, digits.count)).reduce(value) { value, _ in value * 10 }
        }

        /// Seconds east of UTC.
        mutating func offset() -> Int? {
            if skip("Zz") { return 0 }
            let isWest = rest.first == UInt8(ascii: "-")
            guard skip("+-"), let hours = number(2) else { return nil }
            _ = skip(":")
            guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
            return (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
        }

        private mutating func number(_ width: Int) -> Int? {
            let digits = rest.prefix(width)
            guard digits.count == width, digits.allSatisfy(Self.isDigit) else { return nil }
            rest = rest.dropFirst(width)
            return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
        }

        private mutating func skip(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    }
}

extension FileTime {
    /// The nearest millisecond, as state files store it; a date out of range becomes the nearest that fits.
    package init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        let limit = Double(Int64.max / 1_000_000)
        self.init(nanoseconds: Int64(max(-limit, min(limit, milliseconds))) * 1_000_000)
    }

    /// The same moment as a date, which is exact to about 200 ns for dates of our time.
    package var date: Date { Date(timeIntervalSince1970: Double(nanoseconds) / 1e9) }
}

extension FileTime: Codable {
    /// Reads text such as `2026-11-20T10:00:00.123456789Z`.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = ISO8601.time(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "“\(text)” is no time in RFC 3339"))
        }
        self = time
    }

    /// Writes nine digits, or three if the others are zero.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ISO8601.text(self, digits: digits))
    }

    /// The digits of a fraction that represent it exactly: three or nine.
    package var digits: Int { nanoseconds % 1_000_000 == 0 ? 3 : 9 }
}
