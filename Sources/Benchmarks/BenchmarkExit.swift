import Glibc

/// How the program ends.
enum BenchmarkExit: Int32 {
    /// Every goal that could be measured was reached.
    case success = 0
    /// A measurement could not be taken although all it needs is there.
    case failure = 1
    case usage = 2
    /// A goal was missed.
    case missed = 3

    init(_ measurements: [Measurement]) {
        let verdicts = measurements.map(\.verdict)
        if verdicts.contains(.failed) {
            self = .failure
        } else {
            self = verdicts.contains(.missed) ? .missed : .success
        }
    }

    func leave() -> Never { exit(rawValue) }
}
