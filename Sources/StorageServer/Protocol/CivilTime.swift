/// A moment in UTC as people and protocols write it; proleptic Gregorian calendar.
struct CivilTime: Hashable {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int
    let millisecond: Int
    /// 0 is Sunday.
    let weekday: Int

    /// The moment `milliseconds` after 1970 began.
    init(milliseconds: Int64) {
        let (days, rest) = Self.floored(Int(milliseconds), by: 86_400_000)
        // Days are counted from 1 March of year 0, so that a leap day ends its year (Hinnant, "chrono-Compatible
        // Low-Level Date Algorithms").
        let (era, dayOfEra) = Self.floored(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = rest / 3_600_000
        minute = rest / 60_000 % 60
        second = rest / 1000 % 60
        millisecond = rest % 1000
        weekday = Self.floored(days + 4, by: 7).remainder
    }

    private static func floored(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let remainder = (number % divisor + divisor) % divisor
        return ((number - remainder) / divisor, remainder)
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// As in JSON: `2026-11-20T18:36:45.278Z`.
    var iso8601: String {
        "\(pad(year, 4))-\(pad(month))-\(pad(day))T\(pad(hour)):\(pad(minute)):\(pad(second)).\(pad(millisecond, 3))Z"
    }

    /// As in file names: `20261120T183645.278Z`.
    var compact: String { iso8601.filter { $0 != "-" && $0 != ":" } }

    /// As in header lines (RFC 9110, section 5.6.7): `Fri, 20 Nov 2026 18:36:45 GMT`.
    var httpDate: String {
        "\(Self.weekdays[weekday]), \(pad(day)) \(Self.months[month - 1]) \(pad(year, 4)) "
            + "\(pad(hour)):\(pad(minute)):\(pad(second)) GMT"
    }

    private func pad(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension CivilTime {
    /// Milliseconds since 1970 of a header's date, or `nil` when it is none.
    static func milliseconds(httpDate text: String) -> Int64? {
        let words = text.split { $0 == " " || $0 == ":" }
        guard words.count == 8, let month = months.firstIndex(of: String(words[2])) else { return nil }
        let numbers = [1, 3, 4, 5, 6].compactMap { Int(words[$0]) }
        guard numbers.count == 5 else { return nil }
        return milliseconds(numbers[1], month + 1, numbers[0], numbers[2], numbers[3], numbers[4])
    }

    /// Milliseconds since 1970 of a time as in JSON, or `nil` when it is none.
    static func milliseconds(iso8601 text: String) -> Int64? {
        let words = text.split { "-T:.Z".contains($0) }
        let numbers = words.compactMap { Int($0) }
        guard numbers.count == words.count, (6...7).contains(numbers.count), (1...12).contains(numbers[1]) else {
            return nil
        }
        let fraction = numbers.count == 7 ? Int64(numbers[6]) : 0
        return milliseconds(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]) + fraction
    }

    private static func milliseconds(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
    ) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floored(shiftedYear, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return Int64(((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
    }
}
