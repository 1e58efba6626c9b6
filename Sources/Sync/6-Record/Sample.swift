import Platform

/// A random part of all objects, always the same one for the same seed.
package struct Sample: Hashable, Sendable {
    /// Of 100; more than 0.
    let percent: Double
    let seed: UInt64

    /// About `percent` of all objects; another `seed` selects others.
    package init(percent: Double, seed: UInt64) {
        self.percent = percent
        self.seed = seed
    }

    /// Whether the object under `key` belongs to it.
    package func contains(_ key: String) -> Bool { percent >= 100 || Double(draw(key)) < percent / 100 * 0x1p32 }

    /// Evenly between 0 and 2³².
    func draw(_ key: String) -> UInt32 {
        SHA256.hash("\(seed)/\(key)".utf8).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
