import Configuration
import Records
import Rescue
import Roots

extension Report {
    /// The same figures without names or thumbnails, to show to others.
    ///
    /// Roots are numbered; paths, addresses, messages of other programs and notes are removed, since each may hold
    /// a name. Codes, counts, sizes and next steps stay.
    package var redacted: Report {
        var report = self
        report.profile = SettingSources.standardProfile
        if let destination, !destination.local {
            report.destination = Destination(url: "https://…", bucket: "…", prefix: "")
        }
        if storedElsewhere != nil { report.storedElsewhere = "…" }
        if unwatched != nil { report.unwatched = "…" }
        // The names of providers that the user has added are among the keys.
        report.changedSettings = changedSettings.map { keys in
            keys.map { $0.hasPrefix("providers.") ? "providers.…" : $0 }
        }
        report.agent.reason = nil
        report.lastRun?.message = nil
        for index in failures.indices {
            report.failures[index].path = ""
            report.failures[index].message = ""
            report.failures[index].next = NextStep.after(code: failures[index].code)
        }
        for index in blocked.indices {
            report.blocked[index].names = []
            report.blocked[index].path = ""
            report.blocked[index].message = ""
        }
        for index in roots.indices {
            report.roots[index].name = "Root \(index + 1)"
            report.roots[index].path = "…"
            report.roots[index].paused = roots[index].paused == nil ? nil : "paused"
        }
        for index in besides.leftOut.indices where besides.leftOut[index].rule.hasPrefix("your rule") {
            report.besides.leftOut[index].rule = "your rule"
        }
        report.brake?.files = []
        for index in report.rescue?.files.indices ?? 0..<0 {
            report.rescue?.files[index].job = "…"
            report.rescue?.files[index].file = "…"
            report.rescue?.files[index].message = nil
        }
        // These sentences repeat what a provider says about a key, and name providers that the user has added.
        report.rescue?.blocked = rescue?.blocked.map { $0.map { _ in "A provider refuses its key." } }
        report.recent = []
        report.picturesTrouble = nil
        report.notes = notes.isEmpty ? [] : ["\(notes.count) \(notes.count == 1 ? "note is" : "notes are") left out."]
        return report
    }
}
