import Glibc

extension ChildProcess {
    /// How a process ended.
    package enum ExitStatus: Hashable, Sendable {
        /// It ended itself with this code.
        case exited(Int32)
        /// A signal ended it.
        case signalled(Signal)

        /// Reads what `waitid` reports in `si_code` and `si_status`.
        init(code: Int32, status: Int32) {
            self = code == Int32(CLD_EXITED) ? .exited(status) : .signalled(Signal(rawValue: status))
        }
    }
}
