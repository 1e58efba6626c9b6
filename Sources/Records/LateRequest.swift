package import FoundationEssentials

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
    /// A time in the future means that the clock was set back: the request is expected until it is dated anew.
    package func mayArrive(at now: Date) -> Bool { now.timeIntervalSince(notedAt) <= Self.echo }
}
