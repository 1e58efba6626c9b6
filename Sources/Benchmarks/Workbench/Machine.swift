import Platform

/// What the numbers were taken on.
struct Machine: Hashable, Sendable {
    /// Processors this process may use.
    let cores: Int
    /// Processes that wanted a processor in the last minute: others disturb.
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
