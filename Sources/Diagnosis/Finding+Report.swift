import Queue
import Records
package import Reporting

extension Finding {
    /// One finding for each reason why some files are not stored, so that doctor and status agree.
    package static func files(_ report: Report) -> [Finding] {
        report.reasons().filter { $0.kind == .someFailed }.map { .wrong("files", $0.sentence) }
    }

    /// This finding about a root, unless the report knows that its disk is away.
    package func checked(against report: Report) -> Finding {
        guard name == "root", result == .fine, let root = report.roots.first(where: { $0.path == sentence }),
            let why = root.paused
        else { return self }
        return .wrong(name, Sentence.text(why, next: NextStep.after(blocked: Item.Blocked.away.rawValue)))
    }
}
