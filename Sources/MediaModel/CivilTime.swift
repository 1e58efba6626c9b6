import Formats

/// A date and time of day as a clock on the wall shows it, with the clock's offset where it is known.
package struct CivilTime: Hashable, Sendable {
    /// In the Gregorian calendar; 1826 to 2200 where it was read from text.
    package var year: Int
    /// 1 to 12.
    package var month: Int
    /// 1 to 31.
    package var day: Int
    /// 0 to 23.
    package var hour: Int
    /// 0 to 59.
    package var minute: Int
    /// 0 to 60; 60 is a leap second.
    package var second: Int
    /// Seconds east of UTC; `nil` where unknown.
    package var offset: Int?
    /// Whether the offset is a bare `Z`: then only the moment is known, and not the local time of day.
    package var isUniversal = false
    /// Whether only the day is known; the time is then noon, which is on that day in most time zones.
    package var isDayAlone = false

    /// Seconds since 1970-01-01 UTC; without an offset, the time is taken as UTC.
    package var secondsSince1970: Int {
        let days = CivilDay(year: year, month: month, day: day).number ?? 0
        return ((days * 24 + hour) * 60 + minute) * 60 + second - (offset ?? 0)
    }

    /// The offset from UTC, in seconds, that this clock had when the time in UTC was about `moment`.
    ///
    /// Offsets are whole quarters of an hour, as time zones are. `nil` when no time zone explains the difference: it
    /// is more than five minutes from any such offset, or more than 15 hours.
    package func offset(from moment: CivilTime) -> Int? {
        var clock = self
        clock.offset = 0
        let difference = clock.secondsSince1970 - moment.secondsSince1970
        let quarters = (Double(difference) / 900).rounded()
        guard abs(quarters) <= 60, abs(difference - Int(quarters) * 900) <= 300 else { return nil }
        return Int(quarters) * 900
    }
}

extension CivilTime {
    /// Parses EXIF's `2026:11:20 10:00:00` with an offset such as `+09:00` (EXIF 2.32, 4.6.5).
    ///
    /// `nil` for the values that cameras write when the time is not set: blanks, zeros, impossible dates.
    package init?(exif text: String, offset: String? = nil) {
        self.init(fields: text)
        if let offset { self.offset = Self.offset(offset) }
    }

    /// Parses ISO 8601 as containers store it: `2026-11-20T10:00:00.000000Z`, `2026-11-20T19:00:00+0900`.
    package init?(iso8601 text: String) {
        self.init(fields: text)
        guard text.utf8.count > 19 else { return }
        let zone = text.dropFirst(19).drop { $0 == "." || $0.isNumber }
        offset = Self.offset(String(zone))
        isUniversal = zone == "Z"
    }

    /// Parses a date without a time, such as `2026-06-20`, in which month or day may be missing (XMP part 1, 8.2.1.2);
    /// a missing one counts as the first.
    package init?(dayAlone text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard zip(parts, [4, 2, 2]).allSatisfy({ $0.count == $1 }), (1...3).contains(parts.count) else { return nil }
        let numbers = parts.compactMap { part in
            part.allSatisfy { (0x30...0x39).contains($0) } ? Int(String(decoding: part, as: UTF8.self)) : nil
        }
        guard numbers.count == parts.count else { return nil }
        let (month, day) = (numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 1)
        self.init(year: numbers[0], month: month, day: day, hour: 12, minute: 0, second: 0, isDayAlone: true)
        guard isPlausible else { return nil }
    }

    /// Whether both are on the same day, each by its own clock.
    package func isOnDay(of other: CivilTime) -> Bool {
        (year, month, day) == (other.year, other.month, other.day)
    }

    /// Parses the fields from year to second, which are at the same places in both forms.
    private init?(fields text: String) {
        let characters = Array(text.utf8)
        guard characters.count >= 19 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            characters[range].reduce(0 as Int?) { sum, character in
                guard let sum, (0x30...0x39).contains(character) else { return nil }
                return sum * 10 + Int(character - 0x30)
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
        else { return nil }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        guard isPlausible else { return nil }
    }

    /// `Z`, `+09:00`, `+0900`.
    private static func offset(_ text: String) -> Int? {
        guard text != "Z" else { return 0 }
        let digits = text.utf8.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 4, let sign = ["+": 1, "-": -1][text.prefix(1)],
            let number = Int(digits: String(decoding: digits, as: UTF8.self)), number / 100 <= 15,
            number % 100 < 60
        else { return nil }
        return sign * (number / 100 * 3600 + number % 100 * 60)
    }

    /// Whether it can be a capture date, or one that a scanner's user has set: the oldest photograph is from 1826.
    ///
    /// The first days of 1904 and 1970, from which QuickTime and Unix count, come from empty fields.
    private var isPlausible: Bool {
        guard (1826...2200).contains(year), CivilDay(year: year, month: month, day: day).number != nil else {
            return false
        }
        return !([1904, 1970].contains(year) && month == 1 && day == 1) && hour < 24 && minute < 60 && second < 61
    }
}
