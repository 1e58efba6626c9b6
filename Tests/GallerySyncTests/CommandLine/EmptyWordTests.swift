import Output
import Platform
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// Words that a script's unset variable leaves: they must not mean the working directory, or all there is.
@Suite struct EmptyWordTests {
    @Test(arguments: [
        ["sync", ""], ["sync", "Pictures", ""], ["sync", "--dry-run", ""], ["watch", ""], ["reupload", ""],
        ["reupload", "--all", "--yes", ""], ["restore", "", "--to", "back"],
        ["restore", "Pictures", "", "--to", "back"],
        ["queue", "cancel", ""], ["queue", "cancel", "Pictures", ""], ["why", ""], ["link", ""],
        ["thumbnail", "", "-o", "t"], ["jobs", "add", "fal", ""], ["jobs", "add", "", "x"], ["jobs", "cancel", ""],
        ["rescue", ""], ["rescue", "--from", "table", ""], ["generate", "", "m", "--prompt", "p"],
        ["generate", "fal", "", "--prompt", "p"], ["init", ""], ["help", ""], ["config", ""], ["service", ""],
        ["completion", ""], ["sync", "--", ""],
    ])
    func anEmptyWordIsRefusedWhereverItStands(_ words: [String]) async throws {
        let error = #expect(throws: UsageError.self) { try Invocation(words.map { Array($0.utf8) }) }
        #expect(error?.message == "\"\(words[0])\" does not take an empty word.")
        #expect(error?.command == words[0])
    }

    /// What the same words would have done in a folder with files.
    @Test(arguments: [
        ["sync", ""], ["sync", "--dry-run", ""], ["restore", "", "--to", "back"], ["queue", "cancel", ""],
    ])
    func nothingIsDoneThen(_ words: [String]) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            let rest = ["--local", "--state-dir", "state", "--set", "thumbnails.enabled=false"]
            #expect(await fixture.run(words + rest) == .usage)
            #expect(try fixture.results.isEmpty)
            #expect(try FileFacts.existing(fixture.home.appending("state")) == nil)
        }
    }

    /// A word of blanks is a name, though a strange one.
    @Test(arguments: [" ", "\t", "\n", ".", "/", "-"])
    func whatHasACharacterIsAName(_ word: String) throws {
        let invocation = try Invocation(["sync", "--", word].map { Array($0.utf8) })
        #expect((invocation.command as? SyncRequest)?.roots == [FilePath(word)])
    }
}
