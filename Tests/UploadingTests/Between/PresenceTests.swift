import Platform
import Roots
import TestSupport
import Testing

@testable import Catalog
@testable import Uploading

/// A file counts as gone only where its disk is there to say so: what is wrongly gone loses its object.
@Suite struct PresenceTests {
    /// What happened to the root, or the file in it.
    enum Deed: CaseIterable {
        case nothing, removed, replacedByDirectory, replacedByLink, otherName, rootRemoved, rootEmptied, rootIsFile
        case wasMountPoint, folderRemoved
    }

    @Test(arguments: Deed.allCases)
    func isGone(_ deed: Deed) async throws {
        let tree: FileTree = ["Pictures": ["sub": ["a.jpg": "a"], "b.jpg": "b"]]
        try await tree.withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let path = folder.appending("Pictures")
            let root = Root(known: try await library.root(at: path).root)
            let pictures = try Directory(path)
            let file = FilePath("sub/a.jpg")
            switch deed {
            case .nothing: break
            case .removed: try pictures.remove(file: file)
            case .replacedByDirectory:
                try pictures.remove(file: file)
                try Directory.create(at: path.appending(file))
            case .replacedByLink:
                try pictures.remove(file: file)
                try pictures.createLink(file, to: "none")
            case .otherName: try pictures.rename(file, to: "sub/A.jpg")
            case .rootRemoved: try Directory.removeTree(at: path)
            case .rootEmptied:
                try Directory.removeTree(at: path.appending("sub"))
                try pictures.remove(file: "b.jpg")
            case .rootIsFile:
                try Directory.removeTree(at: path)
                try OpenFile(creating: path).append([1])
            case .wasMountPoint:
                try await library.setFact(RootState.fact(root), to: RootState.mountPoint)
                try pictures.remove(file: file)
            case .folderRemoved: try Directory.removeTree(at: path.appending("sub"))
            }
            let presence = Presence(roots: RootRegistry([root]), library: library)
            let isGone = [.removed, .replacedByDirectory, .otherName, .folderRemoved].contains(deed)
            #expect(try await presence.isGone(file, root: root.name) == isGone)
            // Of a root that nothing is known of, nothing is.
            #expect(try await !presence.isGone(file, root: "another"))
        }
    }
}
