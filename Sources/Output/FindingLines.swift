package import Diagnosis
import Gallery
package import Text

/// Findings as text: a sentence each, then the SQL that some of them need.
package enum FindingLines {
    /// Each finding on a line of at most `columns`, continued on further ones if needed, coloured by `paint`.
    ///
    /// Where little would fit beside the names, the sentences go below them.
    package static func text(_ findings: [Finding], _ paint: Paint, columns: Int = 80) -> [String] {
        let width = findings.map { DisplayText.width($0.name) }.max() ?? 0
        let isNarrow = columns - (5 + 2 + width + 2) < leastWidth
        let indentation = isNarrow ? 5 + 2 : 5 + 2 + width + 2
        return findings.flatMap { finding in
            let sign =
                switch finding.result {
                case .fine: paint.good("ok   ")
                case .doubtful: paint.waiting("note ")
                case .wrong: paint.bad("wrong")
                }
            let lines = DisplayText.wrapped(
                DisplayText.safe(finding.sentence), columns: columns - indentation, keepsWords: true)
            let below = String(repeating: " ", count: indentation)
            if isNarrow { return ["\(sign)  \(finding.name)"] + lines.map { below + $0 } }
            return ["\(sign)  \(DisplayText.left(finding.name, columns: width))  \(lines[0])"]
                + lines.dropFirst().map { below + $0 }
        }
    }

    /// The fewest columns for a sentence beside its name.
    private static let leastWidth = 30

    /// The SQL to run in the SQL editor, each statement once; empty if there is none.
    package static func sql(_ findings: [Finding]) -> String {
        var all: [String] = []
        for sql in findings.compactMap(\.sql) where !all.contains(sql) { all.append(sql) }
        return all.filter { one in !all.contains { $0 != one && $0.contains(one) } }.joined(separator: "\n\n")
    }
}
