package import FoundationEssentials
import Text

/// A request that may take effect long after it was given up.
package protocol LateRequest {
    /// When it was last about to be sent.
    var notedAt: Date { get }
}

extension LateRequest {
    /// Seconds for which a request that was given up may still take effect.
    package static var echo: Double { 600 }

    /// Whether it may still take effect.
    ///
    /// A time in the future means that the clock was set back; by it the request would be waited for until that time.
    package func mayArrive(at now: Date) -> Bool {
        (-DatedWait.correction...Self.echo).contains(now.timeIntervalSince(notedAt))
    }
}
