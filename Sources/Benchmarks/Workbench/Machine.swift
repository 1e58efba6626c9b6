import Platform

/// The machine on which the numbers were measured.
struct Machine: Hashable, Sendable {
    /// The processors that this process may use.
    let cores: Int
    /// The load average of the last minute; other processes disturb the measurement.
    let load: Double

    static var present: Machine {
        let text = try? OpenFile(reading: "/proc/loadavg").readAll(limit: 256)
        let first = text?.split(separator: UInt8(ascii: " ")).first
        let load = first.flatMap { Double(String(decoding: $0, as: UTF8.self)) }
        return Machine(cores: Host.cores, load: load ?? 0)
    }

    var text: String {
        "gallery-sync-bench: \(cores) core\(cores == 1 ? "" : "s"), load before the run \(Figure.digits(load))"
    }
}
