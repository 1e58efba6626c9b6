import Formats
package import FoundationEssentials
import Text

/// Dates in the form in which the report shows them.
package enum Moment {
    /// Such as `2026-11-20 10:00 UTC`.
    static func text(_ date: Date) -> String {
        let text = machine(date)
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5) + " UTC"
    }

    /// Such as `2026-11-20T10:00:00Z`, for programs.
    static func machine(_ date: Date) -> String { ISO8601.text(date, digits: 0) }

    /// The day alone, such as `20 Nov`.
    static func day(_ date: Date) -> String {
        let text = machine(date)
        let month =
            Int(text.dropFirst(5).prefix(2)).flatMap { (1...12).contains($0) ? CivilDay.months[$0 - 1] : nil } ?? ""
        return "\(Int(text.dropFirst(8).prefix(2)) ?? 0) \(month)"
    }

    /// `2 h 5 min ago`, `in 30 s` or `now`, in whole seconds.
    package static func relative(_ date: Date, to now: Date) -> String {
        let seconds = date.timeIntervalSince(now).rounded()
        if seconds == 0 { return "now" }
        let length = Quantity.text(.seconds(abs(seconds)))
        return seconds < 0 ? "\(length) ago" : "in \(length)"
    }
}
