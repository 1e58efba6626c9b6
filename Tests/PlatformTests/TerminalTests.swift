import TestSupport
import Testing

@testable import Platform

@Suite struct TerminalTests {
    @Test func aFileIsNoTerminal() throws {
        let file = try OpenFile(reading: "/dev/null")
        #expect(!Terminal.isTerminal(file.descriptor))
        #expect(Terminal.columns(file.descriptor) == nil)
        #expect(Terminal.hidingInput(file.descriptor) { 7 } == 7)
    }

    @Test func argumentsAreBytesWithoutTheProgramsName() {
        #expect(Arguments.all.map { String(decoding: $0, as: UTF8.self) } == Array(CommandLine.arguments.dropFirst()))
    }

    @Test(
        arguments: [
            ("", nil), ("gallery-sync", nil), ("gallery-sync\0", []), ("gallery-sync\0status\0", ["status"]),
            ("gallery-sync\0why\0\0", ["why", ""]), ("\0\0a\0", ["", "a"]),
        ] as [(String, [String]?)])
    func theKernelEndsEachArgumentWithANul(list: String, words: [String]?) {
        #expect(Arguments.words(Array(list.utf8))?.map { String(decoding: $0, as: UTF8.self) } == words)
    }
}

@Suite struct ResolvedPathTests {
    @Test func symlinksAndDotsAreGone() throws {
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        let base = try temporary.path.resolved()
        let directory = try Directory(base)
        try directory.createDirectories("a/b")
        try directory.createLink("link", to: "a/b")
        #expect(try base.appending("link/../b/.").resolved() == base.appending("a/b"))
    }

    @Test func whatIsNotThereCannotBeResolved() {
        let error = #expect(throws: SystemError.self) { try FilePath("/nowhere/at/all").resolved() }
        #expect(error?.isMissing == true)
    }

    @Test func theWorkingDirectoryIsAbsolute() throws {
        #expect(try FilePath.workingDirectory().isAbsolute)
    }
}
