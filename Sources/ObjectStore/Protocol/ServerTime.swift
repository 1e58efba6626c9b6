import Formats

/// A moment in UTC, as the protocol's JSON and headers write it.
package struct ServerTime: Hashable {
    /// Since 1970.
    let milliseconds: Int64

    /// The time this many milliseconds after 1970.
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// As in JSON: `2026-11-20T18:36:45.278Z`.
    package var iso8601: String {
        let (number, clock) = Int(milliseconds).flooredQuotientAndRemainder(by: 86_400_000)
        let day = CivilDay(number: number)
        let date = "\(day.year.padded(to: 4))-\(day.month.padded())-\(day.day.padded())"
        let time = "\((clock / 3_600_000).padded()):\((clock / 60_000 % 60).padded()):\((clock / 1000 % 60).padded())"
        return "\(date)T\(time).\((clock % 1000).padded(to: 3))Z"
    }

    /// As in file names: `20261120T183645.278Z`.
    var compact: String { iso8601.filter { $0 != "-" && $0 != ":" } }

    /// As in header lines: `Fri, 20 Nov 2026 18:36:45 GMT`.
    package var httpDate: String {
        HTTPDate.text(seconds: Int(milliseconds.flooredQuotientAndRemainder(by: 1000).quotient))
    }
}

extension ServerTime {
    /// Milliseconds since 1970 of a header's date, or `nil` when it is none.
    package static func milliseconds(httpDate text: String) -> Int64? {
        HTTPDate.seconds(text).map { Int64($0) * 1000 }
    }

    /// Milliseconds since 1970 of a time as in JSON, or `nil` when it is none; clients send it as a part of a cursor.
    static func milliseconds(iso8601 text: String) -> Int64? {
        let words = text.split { "-T:.Z".contains($0) }
        // Numbers in their ranges, since sums of longer ones would overflow.
        let ranges = [0...9_999, 1...12, 1...31, 0...23, 0...59, 0...60, 0...999]
        let numbers = zip(words, ranges).compactMap { word, range in
            word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(word).flatMap { range ~= $0 ? $0 : nil } : nil
        }
        guard numbers.count == words.count, (6...7).contains(numbers.count),
            let day = CivilDay(year: numbers[0], month: numbers[1], day: numbers[2]).number
        else { return nil }
        let seconds = ((day * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
        return Int64(seconds) * 1000 + (numbers.count == 7 ? Int64(numbers[6]) : 0)
    }
}
