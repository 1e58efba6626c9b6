import Catalog
import Platform
import TestSupport
import Testing

@Suite struct LibraryFileTests {
    @Test func aLibraryThatIsNotMadeYetIsNone() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let before = try Library.existing(at: path)
            #expect(before == nil)
            // As seen by a process that opens the file before it is initialised.
            _ = try OpenFile(creating: path)
            let begun = try Library.existing(at: path)
            #expect(begun == nil)
            let made = try Library(path: path)
            try await made.setFact("a", to: "b")
            #expect(try await Library.existing(at: path)?.fact("a") == "b")
        }
    }
}
