import Platform
import TestSupport
import Testing

/// A walk of any tree finds exactly what was created there.
@Suite struct TreeWalkAgreementTests {
    /// A tree of random shape, with odd names, and the sizes of its files by path.
    static func tree(
        below path: FilePath, depth: Int, _ sizes: inout [FilePath: Int64], using random: inout SeededGenerator
    ) -> FileTree {
        var tree = FileTree()
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
            let bytes = (0..<Int.random(in: 1..<12, using: &random)).map { _ in
                [0x20, 0x23, 0x25, 0x61, 0x62, 0x63, 0xc3, 0xff].randomElement(using: &random) ?? 0x61
            }
            let name = FilePath(bytes: bytes.map { UInt8($0) })
            guard tree.nodes[name] == nil else { continue }
            let child = path.appending(name)
            switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
            case 0: tree.nodes[name] = .symlink(to: "..")
            case 1..<4:
                let size = Int.random(in: 0..<50, using: &random)
                sizes[child] = Int64(size)
                tree.nodes[name] = .file([UInt8](repeating: 1, count: size))
            default:
                tree.nodes[name] = .directory(self.tree(below: child, depth: depth - 1, &sizes, using: &random))
            }
        }
        return tree
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func everyFileIsFoundOnce(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var sizes: [FilePath: Int64] = [:]
        let tree = Self.tree(below: "", depth: 4, &sizes, using: &random)
        try await tree.withDirectory { root in
            var found: [FilePath: Int64] = [:]
            TreeWalk.walk(try Directory(root)) { listing in
                for entry in listing.entries where entry.kind == .file {
                    let path = listing.path.appending(entry.name)
                    #expect(found.updateValue(entry.facts?.size ?? -1, forKey: path) == nil)
                }
            }
            #expect(found == sizes)
            #expect(try FileTree(at: root) == tree)
        }
    }
}
