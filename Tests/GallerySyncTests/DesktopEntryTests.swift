import Foundation
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// What the entries in the desktop's menus run.
@Suite struct DesktopEntryTests {
    private static let names = ["gallery-sync", "gallery-sync-folder"]

    private static func values(_ key: String, of name: String) throws -> [String] {
        try Project.text(of: "config/desktop/\(name).desktop").split(separator: "\n")
            .filter { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
    }

    /// Every `gallery-sync COMMAND` in them is one that the program has.
    @Test(arguments: names) func theirCommandsExist(_ name: String) throws {
        for line in try Self.values("Exec", of: name) {
            let commands = line.components(separatedBy: "gallery-sync ").dropFirst().compactMap {
                $0.split { !$0.isLetter }.first.map(String.init)
            }
            #expect(!commands.isEmpty)
            for command in commands { #expect(CommandTable.all.forms.contains { $0.name == command }, "\(command)") }
        }
    }

    @Test func theProgramsEntryOpensThePage() throws {
        let line = try #require(try Self.values("Exec", of: "gallery-sync").first)
        #expect(line.hasPrefix("sh -c \"gallery-sync open "))
    }

    /// The specification leaves open what a field code within quotes is; a word of its own is passed as it is.
    @Test func aFoldersNameIsNeverPartOfAScript() throws {
        let line = try #require(try Self.values("Exec", of: "gallery-sync-folder").first)
        #expect(line.hasSuffix("\" sh %f"))
        #expect(line.components(separatedBy: "%").count == 2)
        #expect(try Self.values("MimeType", of: "gallery-sync-folder") == ["inode/directory;"])
    }
}
