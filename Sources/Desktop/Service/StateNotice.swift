/// One thing that a process tells systemd about itself, as sd_notify(3) lists them.
package enum StateNotice: Hashable, Sendable {
    /// It has started; units that wait for its start go on.
    case ready
    /// One line for `systemctl status`.
    case status(String)
    /// It is not stuck; if this notice stays away for too long, systemd restarts it.
    case alive
    /// It is about to end.
    case stopping

    /// The notice as the protocol spells it, one variable a line.
    package var text: String {
        switch self {
        case .ready: "READY=1"
        // A line end would begin another variable.
        case .status(let line): "STATUS=" + String(line.map { $0.isNewline ? " " : $0 })
        case .alive: "WATCHDOG=1"
        case .stopping: "STOPPING=1"
        }
    }
}
