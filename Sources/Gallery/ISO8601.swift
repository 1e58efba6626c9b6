package import FoundationEssentials
package import Platform

/// Moments as text in UTC, such as `2026-11-20T10:00:00.123Z` (RFC 3339).
package enum ISO8601 {
    /// Text with `digits` digits of a second's fraction, at most 9.
    package static func text(_ time: FileTime, digits: Int = 3) -> String {
        let (seconds, fraction) = time.nanoseconds.quotientAndRemainderFloored(by: 1_000_000_000)
        let (days, clock) = seconds.quotientAndRemainderFloored(by: 86_400)
        let (year, month, day) = civil(days)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let time = "\(padded(clock / 3_600, 2)):\(padded(clock / 60 % 60, 2)):\(padded(clock % 60, 2))"
        let point = digits > 0 ? "." + String(padded(fraction, 9).prefix(digits)) : ""
        return "\(date)T\(time)\(point)Z"
    }

    package static func text(_ date: Date, digits: Int = 3) -> String {
        text(FileTime(date), digits: digits)
    }

    /// The moment `text` names, or `nil` where it is not of the form above; any number of digits, `Z` or `±hh:mm`.
    package static func time(_ text: some StringProtocol) -> FileTime? {
        var rest = Substring(text).utf8[...]
        func number(_ digits: Int) -> Int64? {
            let head = rest.prefix(digits)
            guard head.count == digits, head.allSatisfy({ (48...57).contains($0) }) else { return nil }
            rest = rest.dropFirst(digits)
            return head.reduce(0) { $0 * 10 + Int64($1 - 48) }
        }
        func skip(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let days = daysFromCivil(year, month, day)
        guard !rest.isEmpty else { return FileTime(nanoseconds: days * 86_400_000_000_000) }
        guard skip("Tt "), let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction: Int64 = 0
        if skip(".") {
            let digits = rest.prefix { (48...57).contains($0) }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            fraction = (Array(digits.prefix(9)) + Array(repeating: 48, count: max(0, 9 - digits.count)))
                .reduce(0) { $0 * 10 + Int64($1 - 48) }
        }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return FileTime(nanoseconds: seconds * 1_000_000_000 + fraction)
    }

    package static func date(_ text: some StringProtocol) -> Date? {
        time(text).map(\.date)
    }

    /// Seconds east of UTC: `Z` is 0.
    private static func offset(_ rest: inout Substring.UTF8View) -> Int64? {
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "Z") || first == UInt8(ascii: "z") {
            rest = rest.dropFirst()
            return 0
        }
        let text = rest.filter { $0 != UInt8(ascii: ":") }
        guard text.count == 5, first == UInt8(ascii: "+") || first == UInt8(ascii: "-"),
            text.dropFirst().allSatisfy({ (48...57).contains($0) })
        else { return nil }
        let digits = text.dropFirst().map { Int64($0 - 48) }
        rest = rest.dropFirst(rest.count)
        let seconds = (digits[0] * 10 + digits[1]) * 3_600 + (digits[2] * 10 + digits[3]) * 60
        return first == UInt8(ascii: "-") ? -seconds : seconds
    }

    /// Year, month and day of a day counted from 1970-01-01, in the proleptic Gregorian calendar.
    private static func civil(_ day: Int64) -> (Int64, Int64, Int64) {
        // Years start in March, so the leap day is the last one; 400 years are 146,097 days.
        let (era, ofEra) = (day + 719_468).quotientAndRemainderFloored(by: 146_097)
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let dayOfYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func daysFromCivil(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).quotientAndRemainderFloored(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}

extension Int64 {
    fileprivate func quotientAndRemainderFloored(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension FileTime {
    /// The nearest nanosecond; a `Date` holds about 100 ns near our time.
    package init(_ date: Date) {
        self.init(nanoseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded()) * 1_000_000)
    }

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

    /// Writes nine digits, or three where the rest is zero.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ISO8601.text(self, digits: nanoseconds % 1_000_000 == 0 ? 3 : 9))
    }
}
