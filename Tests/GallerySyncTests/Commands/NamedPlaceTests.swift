import Glibc
import Output
import Platform
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// Files and folders that options name, and that are something else.
@Suite struct NamedPlaceTests {
    /// Opening a pipe waits for its writer, for ever where there is none.
    @Test func aPipeIsNoFileToMakeAThumbnailOf() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            #expect(mkfifo(fixture.home.appending("pipe.jpg").display, 0o600) == 0)
            #expect(await fixture.run("thumbnail pipe.jpg -o out") == .someFailed)
            #expect(try fixture.notes.contains("HOME/pipe.jpg: it is no regular file"))
        }
    }

    @Test(
        arguments: [
            ("/", "../tmp/x", "/tmp/x"), ("/", "../../x", "/x"), ("/", "..", "/"), ("/", "a/../x", "/a/../x"),
            ("/home", "../x", "/home/../x"), ("/home", "./x", "/home/x"), ("/home", "/x/..", "/x/.."),
        ] as [(FilePath, FilePath, FilePath)])
    func aPathThatClimbsBeyondTheRootDirectoryBeginsThere(_ from: FilePath, _ path: FilePath, _ whole: FilePath) throws
    {
        let recorded = try RecordedStreams()
        let surroundings = Surroundings(
            environment: [:], workingDirectory: from, user: Host.userID, accountHome: nil, results: recorded.results,
            notes: recorded.notes, isInteractive: false, answer: { _ in nil }, interruption: Interruption(),
            exit: { _ in fatalError("a test never exits") })
        #expect(try surroundings.absolute(path) == whole)
    }

    @Test(arguments: [
        Fact(
            "a file in place of a folder to restore to", "restore --to Pictures/a.jpg",
            "HOME/Pictures/a.jpg is no directory."),
        Fact("the same in a dry run", "restore --to Pictures/a.jpg --dry-run", "HOME/Pictures/a.jpg is no directory."),
        Fact("a link to a file", "restore --to link", "HOME/link is no directory."),
        Fact("for thumbnails", "thumbnail Pictures/a.jpg -o Pictures/a.jpg", "HOME/Pictures/a.jpg is no directory."),
        Fact("for manual pages", "help --man Pictures/a.jpg", "HOME/Pictures/a.jpg is no directory."),
        Fact("for schemas", "help --schemas Pictures/a.jpg", "HOME/Pictures/a.jpg is no directory."),
        Fact("for objects", "serve --data Pictures/a.jpg", "HOME/Pictures/a.jpg is no directory."),
        Fact("for an index", "serve --data Pictures/a.jpg --rebuild-index", "HOME/Pictures/a.jpg is no directory."),
        Fact("rules that are not there", "serve --faults none", "none cannot be read: No such file or directory."),
        Fact("a folder of rules", "serve --faults Pictures", "Pictures cannot be read: Is a directory."),
        Fact(
            "an input that is not there", "generate fal m --input none",
            "none cannot be read: No such file or directory."),
        Fact("a folder of input", "generate fal m --input Pictures", "Pictures cannot be read: Is a directory."),
        Fact("an input that is none", "generate fal m --input Pictures/a.jpg", "Pictures/a.jpg holds no JSON object."),
        Fact("an input that is a list", "generate fal m --input list.json", "list.json holds no JSON object."),
        Fact(
            "a list that is not there", "rescue none.csv",
            "none.csv is no link, and cannot be read as a list: No such file or directory."),
        Fact(
            "a folder of links", "rescue Pictures", "Pictures is no link, and cannot be read as a list: Is a directory."
        ),
        Fact("a folder that is not there", "sync none", "none: No such file or directory."),
        Fact("a link to itself", "sync loop", "loop: Too many levels of symbolic links."),
        Fact("a file to leave out that is not there", "queue cancel none", "none: No such file or directory."),
        Fact(
            "a page that is a folder", "status --html Pictures",
            "HOME/Pictures is there already and is no page of gallery-sync"),
        Fact(
            "a page that is a photo", "status --html Pictures/a.jpg",
            "HOME/Pictures/a.jpg is there already and is no page of gallery-sync"),
        Fact(
            "a page in a folder that is not there", "status --html none/a.html",
            "There is no folder HOME/none to write a.html into: make it, or name another place."),
        Fact(
            "one below a file", "status --html Pictures/a.jpg/a.html",
            "There is no folder HOME/Pictures/a.jpg to write a.html into: make it, or name another place."),
    ])
    func whatIsSomethingElseIsAWrongCommandLine(_ row: Fact<String, String>) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one", "list.json": "[1]"]) { fixture async throws in
            let home = try Directory(fixture.home)
            try home.createLink("link", to: "Pictures/a.jpg")
            try home.createLink("loop", to: "loop")
            #expect(await fixture.run(row.input + " --local --state-dir state") == .usage)
            let notes = try fixture.notes
            #expect(notes.contains("gallery-sync: \(row.output)"), "\(notes)")
            let isMissing = row.output.hasSuffix("No such file or directory.")
            #expect(notes.contains("Look how it is spelled, and whether its disk is mounted.") == isMissing, "\(notes)")
            #expect(try fixture.results.isEmpty)
            #expect(try OpenFile(reading: fixture.home.appending("Pictures/a.jpg")).readAll() == Array("one".utf8))
            #expect(try Directory(fixture.home).names().contains(FilePath("link")))
        }
    }

    /// Another program may remove the directory that a terminal or a timer is in: then `/` is not meant.
    @Test(arguments: [
        "restore --to back", "sync .", "sync Pictures", "why a.jpg", "thumbnail a.jpg -o pictures",
        "queue cancel a.jpg",
        "init Pictures --yes", "serve --data objects", "status --html page.html", "rescue list.csv",
        "status --config config.json5", "status --state-dir state", "serve --faults rules.json5", "help --man pages",
    ])
    func whereTheDirectoryIsGoneARelativePathNamesNothing(_ line: String) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            var fixture = fixture
            fixture.hasNoDirectory = true
            #expect(await fixture.run(line) == .usage)
            let notes = try fixture.notes
            #expect(notes.contains("gallery-sync: The current directory is gone or not yours to see"), "\(notes)")
            #expect(await fixture.run("why \(fixture.home.display)/Pictures/a.jpg") == .success)
        }
    }

    /// Where nothing is, a folder is made.
    @Test(arguments: ["help --man new/deep/man1", "help --schemas new/schemas", "help --man link"])
    func aFolderIsMade(_ line: String) async throws {
        try await CommandFixture.with { fixture async throws in
            try Directory(fixture.home).createLink("link", to: "Pictures")
            for _ in 1...2 { #expect(await fixture.run(line) == .success) }
            let folder = fixture.home.appending(FilePath(String(line.split(separator: " ").last ?? "")))
            let names = try Directory(folder).names()
            #expect(names.count > 20)
            #expect(names.allSatisfy { $0.display.hasSuffix(".1") || $0.display.hasSuffix(".schema.json") })
        }
    }

    /// All of them are looked at before the first is written.
    @Test(arguments: [
        ("help --man Pictures", "gallery-sync-why.1", "manual page"),
        ("help --schemas Pictures", "verify-1.schema.json", "JSON Schema"),
    ])
    func whatIsThereAlreadyKeepsAllFromBeingWritten(_ line: String, _ name: String, _ kind: String) async throws {
        try await CommandFixture.with(["Pictures/\(name)": "mine"]) { fixture async throws in
            #expect(await fixture.run(line) == .usage)
            #expect(
                try fixture.notes.contains("HOME/Pictures/\(name) is there already and is no \(kind) of gallery-sync"))
            #expect(try FileTree(at: fixture.home.appending("Pictures")) == [FilePath(name): "mine"])
        }
    }
}
