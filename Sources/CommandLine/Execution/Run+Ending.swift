import Cleansing
import Gallery
package import Output
package import Records
package import Reporting
import Text

extension Run {
    /// Reports how a request ended that has already written its results, and turns it into an exit code.
    package func conclude(_ ending: Ending) throws -> ExitCode {
        switch ending {
        case .usage, .refused, .needsHuman, .notPermitted: throw Refusal(ending)
        case .done, .someFailed, .someUnlisted, .someDifferent, .someTooLarge, .held: break
        case .temporary, .absent, .full, .disk, .interrupted: complain("\(ending)", ExitCode(ending))
        }
        return ExitCode(ending)
    }

    /// Reports how a pass ended, in the words of the report, and turns it into an exit code.
    ///
    /// With `-q` it reports only failures.
    ///
    /// - Parameter known: The report by now, if the caller has asked for it.
    package func conclude(_ ending: Ending, _ setup: Setup, _ known: Report? = nil) async throws -> ExitCode {
        switch ending {
        case .usage, .refused, .needsHuman, .notPermitted: throw Refusal(ending)
        case .done, .someFailed, .someUnlisted, .someDifferent, .someTooLarge, .held, .temporary, .absent, .full,
            .disk, .interrupted:
            break
        }
        let report = if let known { known } else { try await report(setup, .summary) }
        if let events {
            events.conclude(with: ["status": try JSONDocument.value(of: report.json())])
        } else if !invocation.isQuiet || invocation.isJSON {
            try show(report)
        } else if ending != .done {
            let end = "\(ending)"
            let blocked = report.blocked.filter { $0.message.isEmpty || !end.contains($0.message) }
            let sentences = report.failures.map(\.sentence) + blocked.map(\.sentence)
            console.note(sentences.map { "gallery-sync: " + surroundings.cleanser.text($0) })
        } else if let trouble = report.picturesTrouble {
            console.note(["gallery-sync: " + surroundings.cleanser.text("\(report.owedClause). \(trouble).")])
        }
        if !ending.description.isEmpty { complain("\(ending)", ExitCode(ending)) }
        return ExitCode(ending)
    }
}
