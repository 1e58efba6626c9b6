/// The upload limit in bytes per second, by the day of the week and the time of the day.
package struct RateTimetable: Hashable, Sendable {
    /// The time of the week in which one rate applies.
    package struct Span: Hashable, Sendable {
        /// The text from which it was parsed.
        let text: String
        /// Monday is 0.
        let days: Set<Int>
        /// Minutes from midnight; an end before the start lies on the next day.
        let start: Int
        let end: Int
    }

    /// The spans, shortest first: where several apply at once, the first in this order counts.
    private(set) var entries: [Entry] = []
    /// The rate where no span applies; `nil` is no limit.
    var otherwise: Int?

    /// A rate and the time in which it applies.
    package struct Entry: Hashable, Sendable {
        /// When the rate applies.
        let span: Span
        /// Bytes per second; `nil` is no limit.
        let rate: Int?
    }

    /// The same rate all week.
    package init(always rate: Int?) {
        otherwise = rate
    }

    /// Adds a rate to the table.
    package mutating func add(_ span: Span, _ rate: Int?) {
        entries.append(Entry(span: span, rate: rate))
        entries.sort { ($0.span.length, $0.span.text) < ($1.span.length, $1.span.text) }
    }

    /// Whether the rate changes during a week.
    package var varies: Bool { entries.contains { $0.rate != otherwise } }

    /// Bytes per second at a moment; `nil` for no limit.
    ///
    /// - Parameters:
    ///   - weekday: 0 for Monday to 6.
    ///   - minute: From midnight, 0 to 1439.
    package func rate(weekday: Int, minute: Int) -> Int? {
        if let entry = entries.first(where: { $0.span.holds(weekday, minute) }) { return entry.rate }
        return otherwise
    }

    /// The same for local time: `seconds` since 1970-01-01 00:00 by the local clock, not UTC.
    package func rate(wallSeconds seconds: Int64) -> Int? {
        let minutes = seconds.quotientFloor(60)
        let days = minutes.quotientFloor(1440)
        // 1 January 1970 was a Thursday.
        return rate(weekday: Int((days + 3).remainderFloor(7)), minute: Int(minutes.remainderFloor(1440)))
    }
}

extension RateTimetable: ExpressibleByIntegerLiteral {
    /// A limit that is the same all week, in bytes per second.
    package init(integerLiteral rate: Int) { self.init(always: rate) }
}

extension RateTimetable.Span {
    private static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Reads `mon-fri 08:00-18:00`, `sat,sun` or `22:00-06:00`; `nil` where it is none of these.
    package init?(_ text: String) {
        let words = text.lowercased().split(separator: " ")
        guard let first = words.first, words.count <= 2 else { return nil }
        var days: Set<Int>? = Set(0...6)
        var time: Substring? = first
        if first.first?.isLetter == true {
            days = Self.days(first)
            time = words.count == 2 ? words[1] : nil
        } else if words.count == 2 {
            return nil
        }
        guard let days, let (start, end) = time.map(Self.minutes) ?? (0, 1440) else { return nil }
        self.init(text: text, days: days, start: start, end: end)
    }

    /// `mon`, `mon-fri`, `sat,sun`; a range may go past Sunday.
    private static func days(_ word: Substring) -> Set<Int>? {
        var days: Set<Int> = []
        for part in word.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map {
                names.firstIndex(of: String($0))
            }
            guard (1...2).contains(ends.count), let from = ends[0], let to = ends[ends.count - 1] else { return nil }
            var day = from
            while days.insert(day).inserted || day != to {
                if day == to { break }
                day = (day + 1) % 7
            }
        }
        return days
    }

    /// `08:00-18:00`; the end may be 24:00.
    private static func minutes(_ word: Substring) -> (Int, Int)? {
        let ends = word.split(separator: "-", omittingEmptySubsequences: false).map(minute)
        guard ends.count == 2, let start = ends[0], let end = ends[1], start < 1440, start != end else { return nil }
        return (start, end)
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 2, (1...2).contains(parts[0].count),
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }), let hour = Int(parts[0]),
            let minute = Int(parts[1]), minute < 60, hour * 60 + minute <= 1440
        else { return nil }
        return hour * 60 + minute
    }

    /// Minutes a week.
    var length: Int { days.count * (end > start ? end - start : end + 1440 - start) }

    func holds(_ weekday: Int, _ minute: Int) -> Bool {
        guard end < start else { return days.contains(weekday) && (start..<end).contains(minute) }
        let isEvening = days.contains(weekday) && minute >= start
        return isEvening || days.contains((weekday + 6) % 7) && minute < end
    }
}

extension Int64 {
    fileprivate func quotientFloor(_ divisor: Int64) -> Int64 { (self - remainderFloor(divisor)) / divisor }
    fileprivate func remainderFloor(_ divisor: Int64) -> Int64 { (self % divisor + divisor) % divisor }
}
