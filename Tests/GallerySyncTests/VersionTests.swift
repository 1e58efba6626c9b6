import TestSupport
import Testing
import Text

@testable import CommandLine
@testable import GallerySync

/// The same version in every place that shows it.
@Suite struct VersionTests {
    @Test func theChangeLogBeginsWithIt() throws {
        let headings = try Project.text(of: "config/CHANGELOG.md").split(separator: "\n").filter { $0.hasPrefix("## ") }
        #expect(headings.first == "## \(Version.text) (\(Version.day))")
    }

    @Test func everyManualPageNamesIt() {
        let end = " 1 \(Version.day) \"gallery\\-sync \(Version.text)\" \"gallery\\-sync\""
        for page in ManualPage.all(of: .all) { #expect(page.lines[0].hasSuffix(end), "\(page.lines[0])") }
    }

    @Test func debianCanOrderIt() {
        #expect(Version.text.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
    }
}
