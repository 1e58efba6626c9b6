/// A time as file systems store it: nanoseconds since 1970-01-01 UTC.
package struct FileTime: Hashable, Comparable, Sendable {
    /// Negative before 1970.
    package let nanoseconds: Int64

    /// The time that many nanoseconds after 1970-01-01 UTC.
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Whether `left` is the earlier time.
    package static func < (left: FileTime, right: FileTime) -> Bool { left.nanoseconds < right.nanoseconds }
}
