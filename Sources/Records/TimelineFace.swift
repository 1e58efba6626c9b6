import Formats
import Glibc
package import MediaModel
package import Platform

/// What the timeline shows of an asset before anything else of it is loaded.
package struct TimelineFace: Hashable, Sendable {
    /// Seconds since 1970 of the clock on the wall where it was taken; by it the timeline is ordered.
    ///
    /// By this computer's clock where the file does not say what time it was there.
    package let taken: Int64
    /// Whether a date in the file says so; otherwise the file's own date stands in.
    package let isDated: Bool
    /// 128 + 48 × log2(width / height), 1 to 255; 0 where the size is not known.
    package let ratio: UInt8
    /// What it is to the user.
    package let kind: TimelineKind

    /// A face as the library keeps it.
    package init(taken: Int64, isDated: Bool, ratio: UInt8, kind: TimelineKind) {
        (self.taken, self.isDated, self.ratio, self.kind) = (taken, isDated, ratio, kind)
    }
}

extension TimelineKind {
    /// The kind of a content; one with a duration moves.
    init(_ facts: FaceFacts) {
        let (type, duration) = (facts.type, facts.duration)
        switch facts.isSound ? .audio : type.kind {
        case .video: self = .video
        case .audio, .sidecar: self = .other
        case .photo where type.isCameraOriginal: self = .raw
        case .photo where type == .gif || duration ?? 0 > 0: self = .animation
        case .photo: self = .photo
        }
    }
}

/// The few facts of a content that its face is made of.
package struct FaceFacts: Hashable, Sendable {
    let type: MediaType
    /// Whether a movie's container was found to hold sound alone.
    var isSound = false
    /// Seconds since 1970 UTC; `nil` where no date in the file says when it was taken.
    package var takenAt: Double?
    /// Seconds by which the clock there was ahead of UTC then; `nil` where that is not known.
    package var takenAtOffset: Int?
    var width: Int?
    var height: Int?
    var duration: Double?

    /// The facts of a content of this type; seconds, and pixels as shown.
    package init(
        type: MediaType, isSound: Bool = false, takenAt: Double? = nil, takenAtOffset: Int? = nil, width: Int? = nil,
        height: Int? = nil, duration: Double? = nil
    ) {
        (self.type, self.isSound) = (type, isSound)
        (self.takenAt, self.takenAtOffset) = (takenAt, takenAtOffset)
        (self.width, self.height, self.duration) = (width, height, duration)
    }
}

extension TimelineFace {
    /// The face of a file with this date; `nil` for a sidecar, which the timeline does not show.
    package init?(_ facts: FaceFacts, modifiedAt: FileTime) {
        guard facts.type.kind != .sidecar else { return nil }
        let date = facts.takenAt.flatMap { Int64(exactly: $0.rounded(.down)) }
        taken =
            date.map { Self.wallSeconds($0, ahead: facts.takenAtOffset) }
            ?? Self.wallSeconds(modifiedAt.nanoseconds.flooredQuotientAndRemainder(by: 1_000_000_000).quotient)
        isDated = date != nil
        ratio = Self.ratio(width: facts.width, height: facts.height)
        kind = TimelineKind(facts)
    }

    /// The face of a file that was not read yet: its name says what it may be.
    package init?(unread name: [UInt8], modifiedAt: FileTime) {
        let type = MediaIdentity(header: [], fileExtension: FilePath(bytes: name).fileExtension)?.type
        self.init(FaceFacts(type: type ?? MediaType(rawValue: "audio/x-unknown")), modifiedAt: modifiedAt)
    }

    /// No clock was ever further from UTC, not even before there were zones.
    private static let offsets = -16 * 3600...16 * 3600

    /// Local time at a moment, kept in the years 1 to 9999, which is what SQLite and browsers can print.
    private static func wallSeconds(_ seconds: Int64, ahead offset: Int? = nil) -> Int64 {
        let moment = min(max(seconds, -62_135_500_000), 253_402_200_000)
        guard let offset, offsets.contains(offset) else { return WallClock.seconds(at: moment) }
        return moment + Int64(offset)
    }

    private static func ratio(width: Int?, height: Int?) -> UInt8 {
        guard let width, let height, width > 0, height > 0 else { return 0 }
        return UInt8(min(255, max(1, 128 + (48 * log2(Double(width) / Double(height))).rounded())))
    }
}
