import Platform
import TestSupport
import Testing

/// A listener that follows the events ends with the real state, whatever changed meanwhile.
@Suite struct TreeWatchStormTests {
    /// The state as a listener derives it from events.
    struct Belief {
        let root: Directory
        var files: Set<FilePath> = []

        mutating func take(_ event: WatchEvent) {
            switch event {
            case .written(let path), .modified(let path): look(at: path)
            case .removed(let path): files.remove(path)
            case .directoryAppeared(let path): scan(path)
            case .directoryVanished(let path): files = files.filter { $0.relative(to: path) == nil }
            case .overflow: (files, _) = ([], scan(""))
            case .unwatched, .rootVanished: Issue.record("unexpected \(event)")
            }
        }

        private mutating func look(at path: FilePath) {
            if (try? root.facts(of: path).kind) == .file { files.insert(path) } else { files.remove(path) }
        }

        mutating func scan(_ top: FilePath) {
            guard let directory = try? root.open(directory: top) else { return }
            TreeWalk.walk(directory) { listing in
                for entry in listing.entries where entry.kind == .file {
                    files.insert(top.appending(listing.path).appending(entry.name))
                }
            }
        }
    }

    /// One random change, mostly of a few names, so that changes collide.
    static func change(_ root: Directory, using random: inout SeededGenerator) {
        func place() -> FilePath {
            let depth = Int.random(in: 1...3, using: &random)
            return (0..<depth).reduce("") { path, _ in
                path.appending(String("abcd".randomElement(using: &random) ?? "a"))
            }
        }
        let path = place()
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: try? root.createDirectories(path)
        case 3..<6: try? root.create(file: path.appending("f\(Int.random(in: 0..<3, using: &random))")).append([1])
        case 6: _ = try? root.remove(file: path.appending("f0"))
        case 7: try? root.rename(path.appending("f1"), to: place().appending("f2"))
        case 8: try? root.rename(path, to: place())
        default: _ = try? root.remove(directory: path)
        }
    }

    /// The derived state after the last change.
    private static func follow(_ watch: TreeWatch, _ belief: Belief) async throws -> Belief {
        try await withLimit("the last file of the storm is written") {
            var belief = belief
            for await event in watch.events {
                belief.take(event)
                if event == .written("end") { break }
            }
            return belief
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func beliefEndsAsTruth(seed: UInt64) async throws {
        try await FileTree(["a": ["f0": "x", "b": ["f1": "y"]]]).withDirectory { path in
            let root = try Directory(path)
            let watch = try TreeWatch(root: path) { _ in true }
            async let storm: Void = Blocking.run {
                var random = SeededGenerator(seed: seed)
                for _ in 0..<400 { Self.change(root, using: &random) }
                try root.create(file: "end").append([1])
            }
            var belief = Belief(root: root)
            belief.scan("")
            belief = try await Self.follow(watch, belief)
            try await storm
            var truth = Belief(root: root)
            truth.scan("")
            #expect(belief.files == truth.files)
        }
    }
}
