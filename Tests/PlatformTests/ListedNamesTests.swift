import TestSupport
import Testing

@testable import Platform

/// Which name a file has on a disk that finds it by others, too.
@Suite struct ListedNamesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let listed: [FilePath]
        let name: FilePath
        let isHeld: Bool

        init(_ sentence: String, _ listed: [FilePath], _ name: FilePath, _ isHeld: Bool) {
            (testDescription, self.listed, self.name, self.isHeld) = (sentence, listed, name, isHeld)
        }
    }

    static let latin1 = FilePath(bytes: [0xC4, 0x62, 0x2E, 0x4A])
    static let smallLatin1 = FilePath(bytes: [0xC4, 0x42, 0x2E, 0x6A])

    static let rows = [
        Row("its own name", ["P1.PNG", "x"], "P1.PNG", true),
        Row("the former name of a file that was renamed", ["P1.PNG", "x"], "p1.png", false),
        Row("letters that are not ASCII", ["ФОТО"], "фото", false),
        Row("capitals and small letters in one name", ["Img.JPG"], "iMG.jpg", false),
        Row("a name without letters has one spelling", ["x"], "2024", true),
        Row("bytes that are no text", [smallLatin1], latin1, false),
        Row("two files that differ in case only, as a careful disk has them", ["a.png", "A.PNG"], "a.png", true),
    ]

    @Test(arguments: rows)
    func whereCaseDoesNotCountTheListingHasTheName(_ row: Row) throws {
        let names = ListedNames { _ in
            true
        } all: {
            row.listed
        }
        #expect(try (names.spelling(of: row.name) == row.name) == row.isHeld)
    }

    @Test(
        arguments: [
            (["P1.PNG", "x"], "p1.png", "P1.PNG"), (["P1.PNG", "p1.PNG"], "p1.png", nil), (["x"], "p1.png", nil),
            (["Фото"], "фОТО", "Фото"), (["p1.png", "P1.PNG"], "p1.png", "p1.png"),
        ] as [([FilePath], FilePath, FilePath?)])
    func theListingSaysHowANameIsSpelt(_ listed: [FilePath], _ name: FilePath, _ spelling: FilePath?) throws {
        let names = ListedNames { _ in
            true
        } all: {
            listed
        }
        #expect(try names.spelling(of: name) == spelling)
    }

    @Test func whereCaseCountsNothingIsRead() throws {
        let names = ListedNames { _ in
            false
        } all: { () throws(SystemError) in
            throw SystemError(call: "getdents64", code: 5)
        }
        #expect(try names.spelling(of: "p1.png") == "p1.png")
    }

    @Test(arguments: [(13, true), (5, false)] as [(Int32, Bool)])
    func aDirectoryThatMayNotBeReadSpeaksAgainstNoName(_ code: Int32, _ isHeld: Bool) {
        let names = ListedNames { _ in
            true
        } all: { () throws(SystemError) in
            throw SystemError(call: "getdents64", code: code)
        }
        #expect((try? names.spelling(of: "p1.png")) == (isHeld ? "p1.png" : nil))
    }

    @Test func aLetterOfTwoIsLeftAsItIs() {
        #expect(("straße.Ä" as FilePath).inOtherCase == "STRAßE.ä")
    }

    @Test func eachDirectoryAlongThePathIsAsked() async throws {
        // A directory where case counts, with names as the two spellings of one.
        let tree: FileTree = ["A": ["b.png": "1"], "a": ["B.PNG": "2", "c": "3"]]
        try await tree.withDirectory { folder in
            let directory = try Directory(folder)
            #expect(try directory.listedFacts(of: "A/b.png")?.size == 1)
            #expect(try directory.listedFacts(of: "a/c")?.kind == .file)
            #expect(try directory.listedFacts(of: "a/b.png") == nil)
            #expect(try directory.listedFacts(of: "b/c") == nil)
            for path in ["A/b.png", "a/B.PNG", "a/c", ""] as [FilePath] {
                #expect(try directory.spelling(of: path) == path)
                #expect(folder.appending(path).listed == folder.appending(path))
            }
            #expect(("relative" as FilePath).listed == "relative")
        }
    }
}
