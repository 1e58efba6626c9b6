import Platform
package import Roots
import Text

/// How a run or a request ended; the program turns it into an exit code.
package enum Ending: Hashable, Codable, Sendable {
    /// Everything asked for is done.
    case done
    /// Done, but this many files failed or were refused, each with its reason.
    case someFailed(Int)
    /// Done, but this many folders could not be listed, so that their content is not known.
    case someUnlisted(Int)
    /// Done, but a verification found that this many objects, or files here, are not as they were stored.
    case someDifferent(Int)
    /// Done, but this many files exceed a size limit on the way; the sentence says whose limit it is.
    case someTooLarge(Int, String)
    /// Done, but the brake holds this many changed files until the user approves the changes.
    case held(Int)
    /// Try again later: the reason, in one sentence.
    case temporary(String)
    /// Try again when a disk is back: the reason, in one sentence.
    case absent(String)
    /// Not signed in, or not permitted.
    case notPermitted(String)
    /// The destination takes nothing more.
    case full(String)
    /// The command line asks for something that is not possible.
    case usage(String)
    /// What was named cannot be had or may not be done, though the command line is right; nothing was done.
    case refused(String)
    /// The configuration needs a human.
    case needsHuman(String)
    /// The disk is full or broken: the reason, in one sentence.
    case disk(String)
    /// Stopped by a signal of this number.
    case interrupted(Int32)
}

extension Ending {
    /// Whether everything that could be done is done, and storage answers.
    package var isOver: Bool {
        switch self {
        case .done, .someFailed, .someUnlisted, .someDifferent, .held: true
        default: false
        }
    }

    /// This ending, or that of an absent disk, which replaces `done` and `temporary`.
    package func unless(_ absences: [RootAbsence]) -> Ending {
        guard let absence = absences.first(where: \.needsHuman) ?? absences.first else { return self }
        switch self {
        case .done, .temporary, .absent: return absence.ending
        default: return self
        }
    }

    /// This ending; instead of `done`, that of folders whose content is not known, if there are any.
    package func unless(unlisted folders: Int) -> Ending {
        self == .done && folders > 0 ? .someUnlisted(folders) : self
    }

    /// This ending; instead of `done`, that of discrepancies which a verification found, if there are any left.
    package func unless(_ found: DiscrepancyCounts) -> Ending {
        let count = found.byKind.values.reduce(0, +)
        return self == .done && count > 0 ? .someDifferent(count) : self
    }

    /// Whether the request was refused as a whole, because the user has to change something first.
    package var isRefusal: Bool {
        switch self {
        case .usage, .refused, .needsHuman, .notPermitted: true
        case .done, .someFailed, .someUnlisted, .someDifferent, .someTooLarge, .held, .temporary, .absent, .full,
            .disk, .interrupted:
            false
        }
    }
}

extension Ending {
    /// How something ended, in one word that is stored; each stands for an exit code of the program.
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case done, someFailed, temporary, notPermitted, full, usage, needsHuman, interrupted
        /// The disk is full or broken.
        case disk
        /// A mistake of ours.
        case internalError
    }

    /// The ending without its figures and sentences.
    package var kind: Kind {
        switch self {
        case .done: .done
        case .someFailed, .someUnlisted, .someDifferent, .someTooLarge, .held, .refused: .someFailed
        case .temporary, .absent: .temporary
        case .notPermitted: .notPermitted
        case .full: .full
        case .usage: .usage
        case .needsHuman: .needsHuman
        case .disk: .disk
        case .interrupted: .interrupted
        }
    }
}

extension Ending: CustomStringConvertible {
    /// The sentence for people; empty for an end without trouble.
    package var description: String {
        switch self {
        case .done: ""
        case .someFailed(let count): "\(Quantity.text(count, "file")) could not be stored"
        case .someUnlisted(let count): "\(Quantity.text(count, "folder")) could not be listed"
        case .someDifferent(let count):
            "\(count) of what was stored \(count == 1 ? "is" : "are") not as stored: see \"gallery-sync status\""
        case .someTooLarge(let count, let reason):
            "\(count) file\(count == 1 ? " waits" : "s wait"): \(reason). Raise that limit, then run "
                + "\"gallery-sync sync\""
        case .held(let count):
            "\(count) changed file\(count == 1 ? " is" : "s are") held: see \"gallery-sync status\""
        case .temporary(let reason), .absent(let reason), .notPermitted(let reason), .full(let reason),
            .usage(let reason), .refused(let reason), .needsHuman(let reason), .disk(let reason):
            reason
        case .interrupted(let signal):
            "\(Self.stop(by: Signal(rawValue: signal))). What was done is kept; the same command goes on with the rest"
        }
    }

    /// What stopped the program, as its user knows it.
    private static func stop(by signal: Signal) -> String {
        switch signal {
        case .interrupt: "Stopped by Ctrl-C"
        case .hangup: "Stopped, since the terminal was closed"
        default: "Stopped by another program"
        }
    }
}

/// A request that cannot be carried out, with the ending that it leads to.
package struct Refusal: Error, Hashable, CustomStringConvertible {
    /// What the program ends with because of the refusal.
    package let ending: Ending
    /// The ending's sentence.
    package var description: String { ending.description }

    /// A refusal that ends the program with `ending`.
    package init(_ ending: Ending) {
        self.ending = ending
    }
}

extension RootAbsence {
    /// How a pass ends that found the root away.
    var ending: Ending {
        if needsHuman { return .needsHuman(reason) }
        let stop = reason.hasSuffix("?") ? "" : "."
        let stays = isNew ? "" : " What is stored of it stays."
        return .absent("\(reason)\(stop)\(stays) \(advice), then run \"gallery-sync sync\"")
    }
}
