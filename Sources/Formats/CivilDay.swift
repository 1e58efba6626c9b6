/// A day of the proleptic Gregorian calendar; the one place that knows how long months and years are.
package struct CivilDay: Hashable, Sendable {
    /// The year in the astronomical count, which has a year 0 and negative years before it.
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// From 1.
    package let day: Int

    /// A day with these values; `number` is `nil` if the calendar does not have it.
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that is `number` days after 1970-01-01.
    package init(number: Int) {
        // Years begin in March, so that a leap day is the last of its year; 400 years are 146,097 days (Hinnant,
        // "chrono-Compatible Low-Level Date Algorithms").
        let (era, ofEra) = (number + 719_468).flooredQuotientAndRemainder(by: 146_097)
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let dayOfYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
    }

    /// Days since 1970-01-01; `nil` for a day that no calendar has, such as 30 February.
    package var number: Int? {
        // Numbers come from addresses and files, so they are bounded first: a year of 19 digits would overflow.
        guard (1...12).contains(month), (1...31).contains(day), Int32(exactly: year) != nil else { return nil }
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredQuotientAndRemainder(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return CivilDay(number: number) == self ? number : nil
    }

    /// English names of the months, three letters each.
    package static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension BinaryInteger {
    /// The number in at least `width` digits, with zeros in front, as in dates.
    package func padded(to width: Int = 2) -> String {
        let digits = String(self)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension FixedWidthInteger {
    /// Quotient and a remainder that is never negative, as calendars need them.
    package func flooredQuotientAndRemainder(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
