package import FoundationEssentials
package import Supabase

/// The smallest sizes that a bucket refused, by the way they were sent; what is as large is not tried for a day.
///
/// Ordinary users cannot read limits, so they are learned from refusals (contract 5 and 8, pain 8).
package struct SizeLimits: Codable, Hashable, Sendable {
    /// How bytes travel: a limit of one way need not be one of the other.
    package enum Way: Hashable, Sendable {
        case whole, pieces
    }

    /// One refusal.
    package struct Refused: Codable, Hashable, Sendable {
        /// The smallest size refused.
        package let bytes: Int64
        /// A proxy's limit, not storage's own.
        package let byProxy: Bool
        package fileprivate(set) var at: Date
    }

    private var whole: Refused?
    private var pieces: Refused?

    package init() {}

    /// Seconds after which one file is tried again, in case somebody raised the limit.
    static let lifetime = 86_400.0

    package var isEmpty: Bool { whole == nil && pieces == nil }

    /// What to do with a file.
    package enum Verdict: Hashable, Sendable {
        case send(Way)
        case tooLarge(Refused)
    }

    /// How `size` bytes go; `usual` is the way where no limit is known.
    package func verdict(_ size: Int64, usual: Way, at now: Date) -> Verdict {
        if let pieces, refuses(pieces, size, at: now), usual == .pieces || whole.map({ size >= $0.bytes }) ?? false {
            return .tooLarge(pieces)
        }
        if usual == .whole, let whole, refuses(whole, size, at: now) { return .send(.pieces) }
        return .send(usual)
    }

    private func refuses(_ refused: Refused, _ size: Int64, at now: Date) -> Bool {
        size >= refused.bytes && now.timeIntervalSince(refused.at) < Self.lifetime
    }

    /// Takes in that `size` bytes were refused; the smallest counts, and the day begins anew.
    package mutating func learn(_ size: Int64, _ way: Way, by speaker: AnswerClass.Speaker, at now: Date) {
        let known = way == .whole ? whole : pieces
        let refused = Refused(bytes: min(size, known?.bytes ?? size), byProxy: speaker == .proxy, at: now)
        if way == .whole { whole = refused } else { pieces = refused }
    }

    /// Takes in that `size` bytes were taken; whether a limit is none any more.
    package mutating func passed(_ size: Int64) -> Bool {
        guard let pieces, size >= pieces.bytes else { return false }
        self = SizeLimits()
        return true
    }

    /// What is known does not keep the next file from being tried; its refusal would renew it.
    mutating func doubt() {
        whole?.at = .distantPast
        pieces?.at = .distantPast
    }

    /// When one file is to be tried again; `nil` without a limit.
    package var probeAt: Date? { pieces.map { $0.at + Self.lifetime } }
}

extension SizeLimits {
    /// Why a file waits that is too large for somebody; says whose limit it is.
    package static func failure(by speaker: AnswerClass.Speaker, from bytes: Int64? = nil) -> Item.Failure {
        let size = bytes.map { " of \(Quantity.text(bytes: $0)) and more" } ?? " of this size"
        return switch speaker {
        case .storage:
            Item.Failure(
                code: "limit.storage", message: "Storage takes no files\(size): its bucket or project has a limit",
                retryable: false)
        case .proxy:
            Item.Failure(
                code: "limit.proxy", message: "A proxy before the storage lets no uploads\(size) pass",
                retryable: false)
        }
    }
}

extension SizeLimits.Refused {
    /// Why a file waits that nobody tried to send.
    package var failure: Item.Failure { SizeLimits.failure(by: byProxy ? .proxy : .storage, from: bytes) }
}
