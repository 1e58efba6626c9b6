import Catalog
import Fixtures
import Platform
import TestSupport

@testable import Browsing

extension Timeline {
    /// Calls `body` with a library of `assets` below one root, and with its timeline.
    static func of(_ assets: [MadeAsset], _ body: (Library, Timeline) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let library = try Library(path: path)
            try await library.make(assets, below: try await library.root(at: "/home/Pictures").root)
            try await body(library, Timeline(at: path))
        }
    }
}
