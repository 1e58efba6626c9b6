import Catalog
import Platform
import TestSupport
import Testing

@Suite struct LibraryFileTests {
    @Test func aLibraryNobodyHasMadeYetIsNone() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let before = try Library.existing(at: path)
            #expect(before == nil)
            // As somebody looks who is faster than the one who makes it.
            _ = try OpenFile(creating: path)
            let begun = try Library.existing(at: path)
            #expect(begun == nil)
            let made = try Library(path: path)
            try await made.setFact("a", to: "b")
            #expect(try await Library.existing(at: path)?.fact("a") == "b")
        }
    }
}
