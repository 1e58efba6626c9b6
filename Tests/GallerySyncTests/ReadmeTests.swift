import Output
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// The README agrees with the command table.
@Suite struct ReadmeTests {
    /// The rows of the table as they stand in the README.
    static var rows: [String] {
        CommandTable.all.forms.map { form in
            let words = form.arguments.isEmpty ? form.name : "\(form.name) \(form.arguments)"
            let options = form.options.map { option in
                "`--\(option.name)\(option.value.map { " " + $0 } ?? "")`"
            }.joined(separator: ", ")
            let row = "| `\(words.replacing("|", with: "\\|"))` | \(form.summary)"
            return row + (options.isEmpty ? " |" : "; \(options) |")
        }
    }

    @Test func itsTableIsTheCommandTable() throws {
        let lines = try Project.text(of: "README.md").split(separator: "\n", omittingEmptySubsequences: false)
        let head = try #require(lines.firstIndex(of: "| command | what it does |"))
        let table = lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map(String.init)
        #expect(table == Self.rows, "expected:\n\(Self.rows.joined(separator: "\n"))")
    }

    @Test(arguments: ExitCode.allCases)
    func everyExitCodeIsExplained(_ code: ExitCode) throws {
        #expect(try Project.text(of: "README.md").contains("| \(code.rawValue) | \(code.meaning) |"))
    }
}
