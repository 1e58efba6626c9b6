/// A time as file systems store it: nanoseconds since 1970-01-01 UTC.
package struct FileTime: Hashable, Comparable, Sendable {
    /// Negative before 1970.
    package let nanoseconds: Int64

    /// The time that many nanoseconds after 1970-01-01 UTC.
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The latest time that this type can hold, in April 2262; every later one counts as this.
    package static let latest = FileTime(nanoseconds: .max)

    /// The earliest time that this type can hold, in September 1677; every earlier one counts as this.
    package static let earliest = FileTime(nanoseconds: .min)

    /// Whether this is one of the two bounds, which almost certainly replaces a file's own time that does not fit.
    package var isBound: Bool { self == .latest || self == .earliest }

    /// Whether `left` is the earlier time.
    package static func < (left: FileTime, right: FileTime) -> Bool { left.nanoseconds < right.nanoseconds }
}
