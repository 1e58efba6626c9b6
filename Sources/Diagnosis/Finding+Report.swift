import Queue
import Records
package import Reporting

extension Finding {
    /// One finding for each reason why all or some files are not stored, or not as the configuration says, so that
    /// doctor and status agree.
    package static func files(_ report: Report) -> [Finding] {
        (report.storedElsewhere.map { [.storedElsewhere($0)] } ?? [])
            + (report.outdatedAgent.map { [.wrong("agent", $0.sentence, ending: .needsHuman($0.sentence))] } ?? [])
            + (report.unreadSettings.map { [.doubtful("agent", $0)] } ?? [])
            + report.reasons().filter { $0.kind == .someFailed }.map { .wrong("files", $0.sentence) }
    }

    /// The profile's receipts are for `place`, and not for the destination in the settings, so nothing is stored there.
    package static func storedElsewhere(_ place: String) -> Finding {
        let sentence =
            "This profile stores into \(place), and another destination is configured. "
            + NextStep.afterChangeOfDestination
        return .wrong("destination", sentence, ending: .needsHuman(sentence))
    }

    /// The state was copied from another computer, which may still store into the same bucket.
    package static func copied(from computer: String) -> Finding {
        .doubtful(
            "computer",
            "This profile came from another computer, named \(computer). What that one stored is left to it: changed files "
                + "are stored beside it, and \"prune\" keeps it. Where this computer takes its place, set upload.computer "
                + "to \"\(computer)\".")
    }

    /// This finding about a root, unless the report knows that its disk is away.
    package func checked(against report: Report) -> Finding {
        guard name == "root", result == .fine, let root = report.roots.first(where: { $0.path == sentence }),
            let why = root.paused
        else { return self }
        return .wrong(name, Sentence.text(why, next: NextStep.after(blocked: Item.Blocked.away.rawValue)))
    }
}
