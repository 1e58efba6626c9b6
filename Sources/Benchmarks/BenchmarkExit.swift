import Glibc

/// The program's exit codes.
enum BenchmarkExit: Int32 {
    /// Every goal that could be measured was reached.
    case success = 0
    /// A measurement failed although everything that it needs is installed.
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
