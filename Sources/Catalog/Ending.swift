import Text

/// How a run or a request ended; the program turns it into an exit code.
package enum Ending: Hashable, Codable, Sendable {
    /// Everything asked for is done.
    case done
    /// Done, but so many files failed or were refused, each with its reason.
    case someFailed(Int)
    /// Done, but so many files are larger than somebody on the way takes: who, in one sentence.
    case someTooLarge(Int, String)
    /// Done, but so many changed files are held until the user says that the changes are theirs.
    case held(Int)
    /// Try again later: the reason, in one sentence.
    case temporary(String)
    /// Not signed in, or not permitted.
    case notPermitted(String)
    /// The destination takes nothing more.
    case full(String)
    /// The command line asks for something that makes no sense.
    case usage(String)
    /// The configuration needs a human.
    case needsHuman(String)
    /// Stopped by a signal of this number.
    case interrupted(Int32)
}

extension Ending {
    /// Whether all that could be done is, and storage answers.
    package var isOver: Bool {
        switch self {
        case .done, .someFailed, .held: true
        default: false
        }
    }

    /// This ending, unless a disk was away: that comes before what only waits, and before all is done.
    package func unless(_ absences: [RootAbsence]) -> Ending {
        guard let absence = absences.first(where: \.needsHuman) ?? absences.first else { return self }
        switch self {
        case .done, .temporary: return absence.ending
        default: return self
        }
    }

    /// Whether nothing was looked at, because somebody has to change something first.
    package var isRefusal: Bool {
        switch self {
        case .usage, .needsHuman, .notPermitted: true
        case .done, .someFailed, .someTooLarge, .held, .temporary, .full, .interrupted: false
        }
    }
}

extension Ending: CustomStringConvertible {
    /// The sentence for people; empty for an end without trouble.
    package var description: String {
        switch self {
        case .done: ""
        case .someFailed(let count): "\(Quantity.text(count, "file")) could not be stored"
        case .someTooLarge(let count, let reason):
            "\(count) file\(count == 1 ? " waits" : "s wait"): \(reason). Raise that limit, then run "
                + "\"gallery-sync sync\""
        case .held(let count):
            "\(count) changed file\(count == 1 ? " is" : "s are") held: see \"gallery-sync status\""
        case .temporary(let reason), .notPermitted(let reason), .full(let reason), .usage(let reason),
            .needsHuman(let reason):
            reason
        case .interrupted(let signal): "Stopped by signal \(signal); what is left goes on at the next start"
        }
    }
}

/// A request that cannot be carried out, with the ending it has.
package struct Refusal: Error, Hashable, CustomStringConvertible {
    package let ending: Ending
    package var description: String { ending.description }

    package init(_ ending: Ending) {
        self.ending = ending
    }
}
