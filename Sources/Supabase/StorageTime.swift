package import FoundationEssentials

/// A moment exactly as the service wrote it, such as `2026-11-20T18:36:45.278Z`.
///
/// Compared as text, which decides whether an object is still the same.
package struct StorageTime: RawRepresentable, Hashable, Codable, Sendable {
    /// The text as the service wrote it; it need not be a valid date.
    package let rawValue: String

    /// Accepts any text; `date` tells whether it can be read.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The moment, with any number of decimals, `Z` or an offset; `nil` where the text is not a date.
    package var date: Date? { try? Date.ISO8601FormatStyle().parse(rawValue) }
}
