package import FoundationEssentials
package import Queue
package import Supabase
import Text

/// The smallest sizes that a bucket refused, by way of sending; files as large are not tried for a day.
///
/// Ordinary users cannot read limits, so they are learned from refusals (contract 5 and 8, pain 8).
package struct SizeLimits: Codable, Hashable, Sendable {
    /// How bytes are sent; the limit of one way need not hold for the other.
    package enum Way: Hashable, Sendable {
        case whole, pieces
    }

    /// One refusal.
    package struct Refused: Codable, Hashable, Sendable {
        /// The smallest size refused.
        package let bytes: Int64
        /// A proxy's limit, not storage's own.
        package let byProxy: Bool
        /// When the last refusal came.
        package let at: Date
    }

    private var whole: Refused?
    private var pieces: Refused?

    /// No known limit.
    package init() {}

    /// Seconds after which one file is tried again, in case the limit was raised.
    static let lifetime = 86_400.0

    /// Whether no limit is known.
    package var isEmpty: Bool { whole == nil && pieces == nil }

    /// The smallest size that is refused however it is sent; `nil` where none is known.
    var refused: Int64? { pieces?.bytes }

    /// What to do with a file.
    package enum Verdict: Hashable, Sendable {
        case send(Way)
        case tooLarge(Refused)
    }

    /// How to send `size` bytes; `usual` is the way where no limit is known.
    package func verdict(_ size: Int64, usual: Way) -> Verdict {
        let isTooLargeWhole = whole.map { size >= $0.bytes } ?? false
        if let pieces, size >= pieces.bytes, usual == .pieces || isTooLargeWhole { return .tooLarge(pieces) }
        return .send(isTooLargeWhole ? .pieces : usual)
    }

    /// Whether a day has passed since the last refusal, so that one file is to be tried.
    package func isDoubtful(at now: Date) -> Bool {
        (pieces ?? whole).map { DatedWait(from: $0.at, seconds: Self.lifetime).isOver(at: now) } ?? false
    }

    /// Whether files of `size` bytes are known to be refused in pieces.
    package func refusesPieces(of size: Int64) -> Bool { pieces.map { size >= $0.bytes } ?? false }

    /// Notes that `size` bytes were refused; the smallest size counts, and the day begins anew.
    package mutating func learn(_ size: Int64, _ way: Way, by speaker: AnswerClass.Speaker, at now: Date) {
        let known = way == .whole ? whole : pieces
        let refused = Refused(bytes: min(size, known?.bytes ?? size), byProxy: speaker == .proxy, at: now)
        if way == .whole { whole = refused } else { pieces = refused }
    }

    /// Notes that `size` bytes were accepted; returns whether that lifts the limit for pieces.
    ///
    /// - Parameter asUsual: Whether they were sent in one request although that was refused before.
    package mutating func passed(_ size: Int64, asUsual: Bool = false) -> Bool {
        guard refusesPieces(of: size) else {
            if asUsual { whole = nil }
            return false
        }
        self = SizeLimits()
        return true
    }

    /// When one file is to be tried again; `nil` without a limit for pieces.
    package var probeAt: Date? { pieces.map { $0.at + Self.lifetime } }
}

extension SizeLimits {
    /// Why a file that is too large waits; says whose limit it is, and how much that is.
    ///
    /// - Parameters:
    ///   - bytes: The smallest size that was refused; `nil` where none is known.
    ///   - bucket: The bucket's own limit, for a key that may read it.
    package static func failure(
        by speaker: AnswerClass.Speaker, from bytes: Int64? = nil, bucket: Int64? = nil
    ) -> Item.Failure {
        let size = bytes.map { " of \(Quantity.text(bytes: $0)) and more" } ?? " of this size"
        return switch speaker {
        case .storage:
            Item.Failure(
                code: .limit(.storage),
                message: bucket.map { "larger than the bucket takes, \(Quantity.text(bytes: $0))" }
                    ?? "storage takes no files\(size): its bucket or project has a limit", retryable: false)
        case .proxy:
            Item.Failure(
                code: .limit(.proxy), message: "a proxy before the storage lets no uploads\(size) pass",
                retryable: false)
        }
    }
}
