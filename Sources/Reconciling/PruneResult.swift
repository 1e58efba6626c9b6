package import FoundationEssentials
import Text

/// Objects whose files are gone, and what became of them.
package struct PruneResult: Codable, Hashable, Sendable {
    /// One object that we stored.
    package struct Object: Codable, Hashable, Sendable {
        /// The deleted file, as its root's name and the path below.
        package let path: String
        /// Its key in the bucket.
        package let key: String
        /// `original`, or `thumbnail-<size>`.
        package let role: String
        /// Bytes.
        package let size: Int64
        /// When it was proven; `nil` for a leftover.
        package var verifiedAt: Date?
        /// Whether it has no receipt.
        package var isLeftover = false
        /// Whether its key is beside the key of another file that has, or had, its name.
        package var isSetAside = false
    }

    /// An object that stays though its deletion was asked for.
    package struct Kept: Codable, Hashable, Sendable {
        /// Its file, as the root's name and the path below; the key where the file is unknown.
        let path: String
        /// Its key in the bucket.
        package let key: String
        /// Why, in one sentence.
        package let reason: String
        /// The rule that leaves out its file, which may be here; nothing is to be done about it then.
        package var rule: String?
    }

    /// The objects that were listed; with `isDeleted`, those that were deleted.
    package var objects: [Object] = []
    /// Objects that stay, each with its reason.
    package var kept: [Kept] = []
    /// Whether deletion was asked for.
    package var isDeleted = false
    /// The root that is forgotten, because nothing of it is stored any more; `nil` where none is.
    package var forgotten: String?

    /// A result before anything was found.
    package init() {}

    /// The bytes of all `objects`.
    package var bytes: Int64 { objects.reduce(0) { $0 + $1.size } }

    /// How many objects stay against the order, and not because a rule leaves out files that are here.
    package var refusals: Int { kept.count { $0.rule == nil } }
}

extension PruneResult {
    /// How many objects and bytes, such as `12 objects, 34 MB`.
    package var sum: String { "\(Quantity.text(objects.count, "object")), \(Quantity.text(bytes: bytes))" }

    /// The files that the objects belong to, each once; of a file with several objects also how many.
    package var files: [String] {
        var counts = Dictionary(objects.map { ($0.path, 1) }, uniquingKeysWith: +)
        return objects.compactMap { object in
            counts.removeValue(forKey: object.path).map { count in
                let path = DisplayText.safe(object.path)
                return count == 1 ? path : "\(path) (\(Quantity.text(count, "object")))"
            }
        }
    }

    /// What stays, and why: each object against the order, and how many files each rule leaves out.
    package var keptLines: [String] {
        let ruled = Dictionary(grouping: kept) { $0.rule }
        let leftOut = ruled.compactMap { rule, kept in
            rule.map { rule in
                let files = Quantity.text(Set(kept.map(\.path)).count, "file")
                return "Kept: what is stored of \(files) left out now, as \(DisplayText.safe(rule)) says"
            }
        }
        return (ruled[nil] ?? []).map(\.line) + leftOut.sorted()
    }

    /// What a person is asked before the objects are deleted.
    package var question: String { "Delete \(sum) from storage for good?" }

    /// What was done, or that there was nothing to do.
    package var sentence: String {
        if objects.isEmpty {
            guard !isDeleted else { return "Nothing was deleted." + farewell }
            return kept.isEmpty ? "No file is only in storage." : "Nothing else is only in storage."
        }
        return isDeleted ? "Deleted \(sum)." + farewell : question
    }

    private var farewell: String {
        forgotten.map { " The root \(DisplayText.safe($0)) is forgotten." } ?? ""
    }
}

extension PruneResult.Kept {
    /// The file, its key, and why it stays.
    package var line: String { DisplayText.safe("\(path) (\(key)): kept, \(reason)") }
}
