import Platform
import Queue
import Supabase
import Text

extension RestoreResult {
    /// What was restored and what was not, in a sentence.
    package var sentence: String {
        let verb = isDryRun ? "Would restore" : "Restored"
        var parts = ["\(verb) \(Quantity.text(restored, "file")), \(Quantity.text(bytes: restoredBytes))"]
        if alreadyThere > 0 {
            parts.append("\(Quantity.text(count: alreadyThere)) \(alreadyThere == 1 ? "was" : "were") there already")
        }
        if unproven > 0 {
            parts.append("\(Quantity.text(count: unproven)) \(unproven == 1 ? "carries" : "carry") no SHA-256 of ours")
        }
        if untimed > 0 {
            parts.append(
                "the time of \(Quantity.text(untimed, "file")) is not between 1677 and 2262 and could not be kept")
        }
        let troubled = refused.count + failed.count
        if troubled > 0 { parts.append("\(Quantity.text(count: troubled)) not written") }
        return parts.joined(separator: "; ") + "."
    }
}

extension RestoreResult {
    /// A sentence for each file that got another name or was not written; files of one folder that may not be written
    /// to share one.
    package var problems: [String] {
        let closed = Dictionary(grouping: failed.filter { $0.closedFolder != nil }) { $0.closedFolder ?? "" }
        var told: Set<FilePath> = []
        return (renamed + refused + failed).compactMap { file in
            guard let folder = file.closedFolder, let files = closed[folder], files.count > 1 else {
                return file.problem
            }
            guard told.insert(folder).inserted, case .failed(let failure) = file.outcome else { return nil }
            let name = folder.isEmpty ? "the folder itself" : folder.display
            return "\(name): \(failure.message); so \(Quantity.text(files.count, "file")) below it could not be written"
        }
    }

    /// A sentence for each selected path that names nothing.
    package var unmatchedSentences: [String] { unmatched.map { "\($0): nothing is stored below it" } }

    /// What restores bytes that storage has lost or changed; `nil` if nothing is damaged.
    package var nextStep: String? {
        guard failed.contains(where: \.isDamaged) else { return nil }
        return "\"gallery-sync verify --deep 100 --repair\" stores again what is damaged, where its file is still here."
    }
}

extension RestoredFile {
    /// Whether storage holds other bytes than were sent.
    fileprivate var isDamaged: Bool {
        guard case .failed(let failure) = outcome else { return false }
        return [.storage(.objectDamaged), RestoreSetback.damaged.failure.code].contains(failure.code)
    }

    /// The file and why it was not written, or has another name; only its name if all is well.
    package var problem: String {
        switch outcome {
        case .refused(let reason): "\(name): \(reason)"
        case .failed(let failure): "\(name): \(failure.message)"
        case .restored, .planned, .alreadyThere:
            wanted.map { wanted in
                let reason =
                    switch conflict {
                    case nil: "it was stored beside another one of its name"
                    case .name: "the disk takes no such name"
                    case .directory, .file, .spelling: "something else has its name"
                    }
                return "\(wanted.display): \(reason), so it is \(name)"
            } ?? name
        }
    }
}
