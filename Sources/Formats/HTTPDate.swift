/// Moments as HTTP headers write them (RFC 9110, section 5.6.7), such as `Fri, 20 Nov 2026 18:36:45 GMT`.
package enum HTTPDate {
    /// The seconds since 1970 of a header's date, or `nil` if it is none; the two obsolete forms are not read.
    package static func seconds(_ text: String) -> Int? {
        let words = text.split { $0 == " " || $0 == ":" }
        guard words.count == 8, words[7] == "GMT", let month = CivilDay.months.firstIndex(of: String(words[2])) else {
            return nil
        }
        let numbers = [1, 3, 4, 5, 6].compactMap { Self.number(words[$0], digits: $0 == 3 ? 4 : 2) }
        guard numbers.count == 5, let day = CivilDay(year: numbers[1], month: month + 1, day: numbers[0]).number,
            (0..<24).contains(numbers[2]), (0..<60).contains(numbers[3]), (0...60).contains(numbers[4])
        else { return nil }
        return ((day * 24 + numbers[2]) * 60 + numbers[3]) * 60 + numbers[4]
    }

    /// A number of exactly `digits` digits, as the format fixes them; a longer year would overflow.
    private static func number(_ word: Substring, digits: Int) -> Int? {
        guard word.utf8.count == digits, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(word)
    }

    /// The header's text for a moment in seconds since 1970.
    package static func text(seconds: Int) -> String {
        let (number, clock) = seconds.flooredQuotientAndRemainder(by: 86_400)
        let day = CivilDay(number: number)
        let weekday = weekdays[(number + 4).flooredQuotientAndRemainder(by: 7).remainder]
        return "\(weekday), \(day.day.padded()) \(CivilDay.months[day.month - 1]) \(day.year.padded(to: 4)) "
            + "\((clock / 3_600).padded()):\((clock / 60 % 60).padded()):\((clock % 60).padded()) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
}
