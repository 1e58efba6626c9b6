import Catalog
import Gallery
import Platform
import Reporting

/// How the program ends, as scripts and systemd read it.
enum ExitCode: Int32, Hashable, Sendable, CaseIterable {
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
    /// The destination takes nothing more: quota or plan.
    case full = 7
    /// Another instance holds the lock.
    case locked = 11
    /// The disk is full, or another call to the system failed.
    case disk = 74
    /// The configuration needs a person.
    case configuration = 78
    case interrupted = 130
    case terminated = 143
}

extension ExitCode {
    /// Its meaning, as one sentence for the manual.
    var meaning: String {
        switch self {
        case .success: "All done."
        case .internalError: "A mistake of ours."
        case .usage: "The command line cannot be understood."
        case .someFailed: "Done, but some files failed or were refused, each with its reason."
        case .temporary: "The network or the server is in the way: try again later."
        case .denied: "Not signed in, or not permitted."
        case .full: "The destination takes nothing more: quota or plan."
        case .locked: "Another instance is running."
        case .disk: "The disk is full or broken."
        case .configuration: "The configuration needs a human."
        case .interrupted: "Stopped by Ctrl-C."
        case .terminated: "Stopped by another program."
        }
    }
}

extension ExitCode {
    init(_ ending: Ending) {
        switch ending {
        case .done: self = .success
        case .someFailed, .someTooLarge, .held: self = .someFailed
        case .temporary: self = .temporary
        case .notPermitted: self = .denied
        case .full: self = .full
        case .usage: self = .usage
        case .needsHuman: self = .configuration
        case .interrupted(let signal): self = ExitCode(Signal(rawValue: signal))
        }
    }

    init(_ verdict: Report.Verdict) {
        switch verdict {
        case .fine: self = .success
        case .someFailed: self = .someFailed
        case .late: self = .temporary
        case .needsHuman: self = .configuration
        }
    }
}
