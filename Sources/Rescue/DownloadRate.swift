import FoundationEssentials
import Sync

/// The rate of all downloads together, measured as their bytes arrive.
package struct DownloadRate: Sendable {
    private var meter = RateMeter(window: Self.window)
    private var total: Int64 = 0
    /// Bytes received so far by each request under way.
    private(set) var heard: [JobPlace: Int64] = [:]
    private var heardAt: Date?

    private static let window = Duration.seconds(30)
    /// Seconds without a request after which earlier measurements are dropped.
    private static let rest = 2.0

    /// Bytes per second; `nil` until it was measured.
    var rate: Double? { meter.rate > 0 ? meter.rate : nil }

    mutating func begin(_ place: JobPlace, at now: Date) {
        if heard.isEmpty, let heardAt, now.timeIntervalSince(heardAt) > Self.rest {
            meter = RateMeter(window: Self.window)
        }
        heard[place] = 0
        meter.note(total, at: now)
    }

    /// Notes that a request under way has brought `bytes` in all.
    mutating func hear(_ bytes: Int64, of place: JobPlace, at now: Date) {
        guard let before = heard[place], bytes > before else { return }
        heard[place] = bytes
        total += bytes - before
        heardAt = now
        meter.note(total, at: now)
    }

    mutating func end(_ place: JobPlace) { heard[place] = nil }
}
