import FoundationEssentials
package import Records
import Text

extension Report {
    /// Objects, or their files, that a verification found different from what was stored.
    package struct Discrepancies: Codable, Hashable, Sendable {
        /// Objects that are not there.
        let missing: Int
        /// Objects that were replaced by others, or have other bytes.
        let different: Int
        /// Objects that cannot be downloaded.
        let unreadable: Int
        /// Files on this disk whose bytes changed although their time did not.
        let damaged: Int
        /// When the newest was found.
        let foundAt: Date
        /// The command that stores the objects again.
        package let next: String

        /// The counts of the library; `nil` where nothing stands.
        package init?(_ counts: DiscrepancyCounts) {
            guard let foundAt = counts.foundAt else { return nil }
            self.foundAt = foundAt
            missing = counts.byKind[.missing, default: 0]
            different = counts.byKind[.different, default: 0]
            unreadable = counts.byKind[.unreadable, default: 0]
            damaged = counts.byKind[.damaged, default: 0]
            next = "Run \"gallery-sync verify\(counts.isDeep ? " --deep 100" : "") --repair\"."
        }

        /// Such as `2 stored objects are missing, 1 different`; `nil` where only files are damaged.
        var objects: String? {
            let parts = [(missing, "missing"), (different, "different"), (unreadable, "unreadable")].filter { $0.0 > 0 }
            guard let first = parts.first else { return nil }
            let others = parts.dropFirst().map { "\(Quantity.text(count: $0.0)) \($0.1)" }
            let opening = "\(Quantity.text(first.0, "stored object")) \(first.0 == 1 ? "is" : "are") \(first.1)"
            return ([opening] + others).joined(separator: ", ")
        }

        /// Such as `the bytes of 1 file changed on this disk, though its time did not`; `nil` where none is damaged.
        var files: String? {
            guard damaged > 0 else { return nil }
            return "the bytes of \(Quantity.text(damaged, "file")) changed on this disk, though "
                + (damaged == 1 ? "its time" : "their times") + " did not"
        }

        /// What to do about damaged files.
        static let nextForFiles =
            "Check this disk; \"gallery-sync restore\" brings back what is stored. Where a program changed it and kept its "
            + "time, \"gallery-sync reupload FILE\" stores it."

        /// What is wrong and what to do, one for objects and one for files.
        var notes: [String] {
            [objects.map { ($0, next) }, files.map { ($0, Self.nextForFiles) }].compactMap(\.self).map {
                Sentence.text($0.0.prefix(1).uppercased() + $0.0.dropFirst(), next: $0.1)
            }
        }
    }
}
