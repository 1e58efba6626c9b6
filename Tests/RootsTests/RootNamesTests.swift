import Configuration
import Platform
import TestSupport
import Testing

@testable import Roots

/// Which roots a run looks at, and what a name in the configuration means for one that has another.
@Suite struct RootNamesTests {
    private static func known(_ id: Int64, _ name: String, _ path: FilePath) -> KnownRoot {
        KnownRoot(id: id, name: name, path: path)
    }

    private static func settings(_ roots: Settings.Root...) -> Settings {
        var settings = Settings()
        settings.roots = roots
        return settings
    }

    struct Named: Sendable {
        let path: FilePath
        let name: String?
        let known: [KnownRoot]

        init(_ path: FilePath, _ name: String?, _ known: KnownRoot...) {
            (self.path, self.name, self.known) = (path, name, known)
        }
    }

    /// What is said of a root at `/a`, by its end; `nil` where nothing is.
    @Test(
        arguments: [
            Fact("a root without a name of its own", Named("/a", nil, known(1, "a", "/a")), nil),
            Fact("one that has the name", Named("/a", "x", known(1, "x", "/a")), nil),
            Fact("a new one", Named("/a", "x"), nil),
            Fact("a new one beside others", Named("/a", "x", known(1, "b", "/b")), nil),
            Fact(
                "one that was called otherwise", Named("/a", "x", known(1, "a", "/a")),
                "the name x in the configuration is not looked at"),
            Fact(
                "a name that another has", Named("/a", "x", known(1, "x", "/b")),
                "/a is the root x-2, since the name x belongs to the one that was at /b"),
            Fact(
                "a name that another has, of a known one", Named("/a", "x", known(1, "x", "/b"), known(2, "a", "/a")),
                "/a is the root a, since the name x belongs to the one that was at /b"),
            Fact(
                "another disk at the same place has it", Named("/a", "x", known(1, "x", "/a"), known(2, "x-2", "/a")),
                nil),
        ] as [Fact<Named, String?>])
    func aNameThatIsNotTakenIsTold(_ fact: Fact<Named, String?>) {
        let settings = Self.settings(Settings.Root(path: fact.input.path, name: fact.input.name))
        let told = settings.namesNotTaken(by: fact.input.known)
        #expect(told.count == (fact.output == nil ? 0 : 1))
        if let end = fact.output { #expect(told.first?.hasSuffix(end) == true, "\(told)") }
    }

    /// Of the known roots `/a`, `/a/b`'s parent and `/c`, those that the settings and the run ask for.
    @Test(
        arguments: [
            Fact("the settings name no root", ([], nil), []), Fact("they name all", (["/a", "/c"], nil), []),
            Fact("they name one", (["/a"], nil), ["c"]), Fact("they name a part of one", (["/a/b"], nil), ["c"]),
            Fact("they name another", (["/d"], nil), ["a", "c"]), Fact("the run asks for one", (["/a"], "c"), []),
            Fact("a directory whose name begins alike", (["/ab"], nil), ["a", "c"]),
        ] as [Fact<(paths: [FilePath], asked: String?), [String]>])
    func whatNothingAsksForIsDropped(_ fact: Fact<(paths: [FilePath], asked: String?), [String]>) {
        var settings = Settings()
        settings.roots = fact.input.paths.map { Settings.Root(path: $0) }
        let registry = RootRegistry(
            [Self.known(1, "a", "/a"), Self.known(2, "c", "/c")].map { Root($0, settings: settings) })
        if let asked = fact.input.asked { registry.ask(for: asked) }
        #expect(registry.dropped.map(\.name) == fact.output)
    }

    /// The root of rescued files is always asked for, and takes sound and no unfinished file.
    @Test func theRootOfRescuedFilesIsNeverDropped() {
        let settings = Self.settings(Settings.Root(path: "/a"))
        let root = Root(Self.known(3, "generated", "/g"), settings: settings, rescued: "/g")
        #expect(root.isConfigured)
        #expect(root.takesSound)
        #expect(RootRegistry([root]).dropped.isEmpty)
        #expect(root.rules.reasonForFile(at: "a.mp4.part") != nil)
        #expect(!Root(Self.known(3, "other", "/o"), settings: settings, rescued: "/g").isConfigured)
    }

    /// Of two disks that were seen at one place, those that are not there wait, as long as one is.
    @Test(
        arguments: [
            Fact("one is there", ["a"], ["b"]), Fact("the other is there", ["b"], ["a"]),
            Fact("both seem to be there", ["a", "b"], []), Fact("neither is there", [], []),
            Fact("another root is there", ["c"], []),
        ] as [Fact<Set<String>, [String]>])
    func whoseDiskIsNotThereIsReplaced(_ fact: Fact<Set<String>, [String]>) {
        let registry = RootRegistry(
            [Self.known(1, "a", "/m"), Self.known(2, "b", "/m"), Self.known(3, "c", "/c")].map { Root(known: $0) })
        #expect(registry.replaced { fact.input.contains($0.name) }.map(\.name) == fact.output)
    }

    /// What a pass looks at that names nothing.
    @Test(
        arguments: [
            Fact("every known root", [], ["a", "c"]), Fact("the configured one", ["/c"], ["c"]),
            Fact("a part of one", ["/a/b"], ["a/b"]), Fact("two parts of one", ["/a/b", "/a/d"], ["a/b", "a/d"]),
            Fact("one that is not known yet", ["/d", "/c"], ["c"]),
        ] as [Fact<[FilePath], [String]>])
    func aPassThatNamesNothing(_ fact: Fact<[FilePath], [String]>) {
        var settings = Settings()
        settings.roots = fact.input.map { Settings.Root(path: $0) }
        let registry = RootRegistry([Self.known(2, "c", "/c"), Self.known(1, "a", "/a")].map { Root(known: $0) })
        let looks = registry.usual(settings).map {
            $0.below.isEmpty ? $0.root.name : "\($0.root.name)/\($0.below.display)"
        }
        #expect(looks == fact.output)
    }
}
