package import FoundationEssentials

/// A moment exactly as the service wrote it, such as `2026-11-20T18:36:45.278Z`.
///
/// Equal only as text, which is what decides whether an object is still the same.
package struct StorageTime: RawRepresentable, Hashable, Codable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The moment, with any number of decimals, `Z` or an offset; `nil` where the text is none.
    package var date: Date? { try? Date.ISO8601FormatStyle().parse(rawValue) }
}
