package import Diagnosis
import Gallery
package import Text

/// Findings as text: one line each, then the SQL that some of them need.
package enum FindingLines {
    /// One line for each finding, coloured by `paint`.
    package static func text(_ findings: [Finding], _ paint: Paint) -> [String] {
        let width = findings.map { DisplayText.width($0.name) }.max() ?? 0
        return findings.map { finding in
            let sign =
                switch finding.result {
                case .fine: paint.good("ok   ")
                case .doubtful: paint.waiting("note ")
                case .wrong: paint.bad("wrong")
                }
            return "\(sign)  \(DisplayText.left(finding.name, columns: width))  \(DisplayText.safe(finding.sentence))"
        }
    }

    /// What to run in the SQL editor, each statement once; empty where there is nothing.
    package static func sql(_ findings: [Finding]) -> String {
        var all: [String] = []
        for sql in findings.compactMap(\.sql) where !all.contains(sql) { all.append(sql) }
        return all.filter { one in !all.contains { $0 != one && $0.contains(one) } }.joined(separator: "\n\n")
    }
}
