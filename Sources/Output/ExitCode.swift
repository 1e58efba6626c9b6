import Gallery
package import Platform
package import Records

/// How the program ends, as scripts and systemd read it.
package enum ExitCode: Int32, Hashable, Sendable, CaseIterable {
    /// All done.
    case success = 0
    /// A bug in this program.
    case internalError = 1
    case usage = 2
    /// Done, but some files failed or were refused, each with its reason.
    case someFailed = 3
    /// Network, 429 or 5xx: try again later.
    case temporary = 5
    /// Not signed in, or not permitted.
    case denied = 6
    /// The destination, or a provider, accepts nothing more: quota, plan or credits.
    case full = 7
    /// Another instance holds the lock.
    case locked = 11
    /// The disk is full, or another call to the system failed.
    case disk = 74
    /// The configuration needs a person.
    case configuration = 78
    case interrupted = 130
    /// The reader of standard output went away, as in `… | head`.
    ///
    /// The code is not 0, because a monitor must not take output that it never saw for a success. Shells show the same
    /// number for programs that SIGPIPE ends, such as git and grep.
    case readerGone = 141
    case terminated = 143
}

extension ExitCode {
    /// Its meaning, as one sentence for the manual.
    package var meaning: String {
        switch self {
        case .success: "All done."
        case .internalError: "A mistake of ours."
        case .usage: "The command line cannot be understood or carried out."
        case .someFailed: "Done, but some files failed or were refused, each with its reason."
        case .temporary: "The network or the server is in the way: try again later."
        case .denied: "Not signed in, or not permitted."
        case .full: "The destination, or a provider, takes nothing more: quota, plan or credits."
        case .locked: "Another instance is running."
        case .disk: "The disk is full or broken."
        case .configuration: "The configuration needs a human."
        case .interrupted: "Stopped by Ctrl-C."
        case .readerGone: "What read the output went away."
        case .terminated: "Stopped by another program."
        }
    }
}

extension ExitCode {
    /// 128 plus the signal's number, as shells expect; a hangup counts as a termination.
    package init(_ signal: Signal) {
        self = signal == .interrupt ? .interrupted : .terminated
    }

    /// The exit code of a command that ended in this way.
    package init(_ ending: Ending) {
        if case .interrupted(let signal) = ending {
            self = ExitCode(Signal(rawValue: signal))
        } else {
            self = ExitCode(ending.kind)
        }
    }

    /// The exit code that each kind of ending stands for.
    package init(_ kind: Ending.Kind) {
        switch kind {
        case .done: self = .success
        case .someFailed: self = .someFailed
        case .temporary: self = .temporary
        case .notPermitted: self = .denied
        case .full: self = .full
        case .usage: self = .usage
        case .needsHuman: self = .configuration
        case .interrupted: self = .interrupted
        case .disk: self = .disk
        case .internalError: self = .internalError
        }
    }
}
