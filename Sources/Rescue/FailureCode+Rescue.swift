package import Queue

/// Why a finished file did not come, beside what answers and this computer say.
package enum RescueWord: String, Sendable {
    case truncated, notVideo, changed, unreachable, expired, provider, refused, lost, empty, tooLarge
    /// Its provider refuses the key, or there is none.
    case key
    /// It was taken away before it was stored.
    case gone
    /// It is here, and is not uploaded.
    case kept
}

extension FailureCode {
    /// A failure of a rescue, such as `rescue.expired`.
    package static func rescue(_ word: RescueWord) -> FailureCode { .other("rescue.\(word.rawValue)") }
}
