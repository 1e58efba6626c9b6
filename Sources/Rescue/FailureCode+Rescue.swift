package import Queue

/// Why a finished file did not come, apart from HTTP statuses and errors of this computer.
package enum RescueWord: String, Sendable {
    case truncated, notVideo, changed, unreachable, expired, provider, refused, lost, empty, tooLarge
    /// The provider refuses the key, or there is none.
    case key
    /// The file was taken away before it was stored.
    case gone
    /// The file is on this disk, and is not uploaded.
    case kept
}

extension FailureCode {
    /// A failure of a rescue, such as `rescue.expired`.
    package static func rescue(_ word: RescueWord) -> FailureCode { .other("rescue.\(word.rawValue)") }
}
