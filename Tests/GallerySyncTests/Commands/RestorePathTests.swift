import Output
import Platform
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// Which files `restore` brings for the paths that people type.
@Suite struct RestorePathTests {
    private static let rest = "--local --state-dir state --set thumbnails.enabled=false --set scan.settle=0s"

    @Test(
        arguments: [
            ("HOME/Pictures/2026/a.jpg", ["Pictures": ["2026": ["a.jpg": "one"]]]),
            ("HOME/Pictures/2026", ["Pictures": ["2026": ["a.jpg": "one"]]]),
            ("HOME/Pictures/2026/", ["Pictures": ["2026": ["a.jpg": "one"]]]),
            ("HOME/Link/2026", ["Pictures": ["2026": ["a.jpg": "one"]]]),
            ("HOME/Pictures", ["Pictures": ["2026": ["a.jpg": "one"], "b.jpg": "two", "gone.jpg": "three"]]),
            ("HOME/Pictures/gone.jpg", ["Pictures": ["gone.jpg": "three"]]),
            ("Pictures/b.jpg", ["Pictures": ["b.jpg": "two"]]),
        ] as [(String, FileTree)])
    func anAbsolutePathIsThatOfAFileOfTheGallery(_ typed: String, _ restored: FileTree) async throws {
        try await CommandFixture.with(["Pictures/2026/a.jpg": "one", "Pictures/b.jpg": "two"]) { fixture async throws in
            try fixture.write("three", to: fixture.home.appending("Pictures/gone.jpg"))
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            let home = try Directory(fixture.home)
            try home.remove(file: "Pictures/gone.jpg")
            try home.createLink("Link", to: "Pictures")
            let path = typed.replacing("HOME", with: fixture.home.display)
            #expect(await fixture.run("restore \(path) --to back \(Self.rest)") == .success)
            #expect(try FileTree(at: fixture.home.appending("back")) == restored)
        }
    }

    /// A program reads only the document: what is not stored is a reason there, too.
    @Test func whatIsNotStoredIsAProblemOfTheDocument() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            #expect(await fixture.run("restore nope --to back --json \(Self.rest)") == .someFailed)
            #expect(try fixture.results.contains(#""problems":["nope: nothing is stored below it"]"#))
        }
    }

    /// Otherwise the next sync would store all files once more, as others.
    @Test(arguments: [
        ("Pictures", "so what is restored inside it is stored once more. \"--to HOME\" puts files where they were.\n"),
        ("Link", "once more. \"--to HOME\" puts files where they were.\n"), ("Pictures/back", "stored once more.\n"),
        ("back", nil), ("PicturesOld", nil),
    ])
    func aFolderThatIsItselfKeptSafeIsTold(_ target: String, _ note: String?) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            try Directory(fixture.home).createLink("Link", to: "Pictures")
            #expect(await fixture.run("restore --to \(target) --dry-run \(Self.rest)") == .success)
            let notes = try fixture.notes
            #expect(notes.contains("gallery-sync: HOME/Pictures is kept safe, ") == (note != nil))
            if let note { #expect(notes.contains(note)) }
        }
    }

    /// As of a disk that is not mounted.
    @Test func aLinkToNothingIsNoFolderToRestoreTo() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            try Directory(fixture.home).createLink("back", to: "/nowhere/disk")
            #expect(await fixture.run("restore --to back \(Self.rest)") == .disk)
            #expect(
                try fixture.notes.contains(
                    "gallery-sync: Nothing can be written to HOME/back (No such file or directory): let this user write "
                        + "there, mount its disk for writing, or name another directory."))
        }
    }

    /// Another computer has no library: a configured folder is called as a first sync would call it.
    @Test func withoutAStateTheConfigurationNamesTheRoots() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one", "Pictures/b.jpg": "two"]) { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            let state = fixture.home.appending("state/state/default")
            for name in try Directory(state).names() where name.display.hasPrefix("library.sqlite") {
                try Directory(state).remove(file: name)
            }
            let roots = "--set roots=\(fixture.home.display)/Pictures"
            #expect(
                await fixture.run("restore \(fixture.home.display)/Pictures/b.jpg --to back \(roots) \(Self.rest)")
                    == .success)
            #expect(try FileTree(at: fixture.home.appending("back")) == ["Pictures": ["b.jpg": "two"]])
        }
    }
}
