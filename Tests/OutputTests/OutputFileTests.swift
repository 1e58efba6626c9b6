import Platform
import TestSupport
import Testing

@testable import Output

/// What an option that names an output may replace.
@Suite struct OutputFileTests {
    private static let fresh = Array("mark, new".utf8)

    private func with(
        _ old: String?, _ body: (_ file: OutputFile, _ folder: FilePath) throws -> Void
    ) throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path.appending("out")
        if let old { try OpenFile(creating: path).append(Array(old.utf8)) }
        try body(OutputFile(path: path, mark: Array("mark".utf8), kind: "page"), directory.path)
    }

    @Test(arguments: [nil, "", "by us: mark, old", String(repeating: " ", count: 4_092) + "mark"])
    func isWritten(over old: String?) throws {
        try with(old) { file, folder throws in
            try file.check()
            try file.write(Self.fresh)
            #expect(try OpenFile(reading: file.path).readAll() == Self.fresh)
            #expect(try Directory(folder).names() == ["out"])
        }
    }

    @Test(arguments: ["a photo", String(repeating: " ", count: 4_093) + "mark"])
    func isLeft(_ old: String) throws {
        try with(old) { file, folder throws in
            #expect(throws: OutputTaken.self) { try file.check() }
            #expect(throws: OutputTaken.self) { try file.write(Self.fresh) }
            #expect(try OpenFile(reading: file.path).readAll() == Array(old.utf8))
            #expect(try Directory(folder).names() == ["out"])
        }
    }

    /// A kill leaves what was being written; what looks like it and is not, or is at work, stays.
    @Test func whatAKillHasLeftGoesWithTheNextOutput() throws {
        try with(nil) { file, folder throws in
            let old = FileTime(nanoseconds: FileTime.now.nanoseconds - 3_601 * 1_000_000_000)
            let (gone, fresh) = (".gallery-sync-0123456789abcdef.part", ".gallery-sync-fedcba9876543210.part")
            let others = [
                ".gallery-sync-0123456789abcde.part", ".gallery-sync-0123456789abcdeG.part", "a.part",
                ".gallery-sync-0123456789abcdef.parts", "x.gallery-sync-0123456789abcdef.part",
            ]
            for name in [gone, fresh] + others {
                let left = try OpenFile(creating: folder.appending(FilePath(name)))
                if name != fresh { try left.setModified(old) }
            }
            try file.write(Self.fresh)
            #expect(try Set(Directory(folder).names()) == Set((others + [fresh, "out"]).map { FilePath($0) }))
        }
    }

    @Test func aDirectoryAndADeviceAreLeft() {
        for path in ["/tmp", "/dev/null"] as [FilePath] {
            #expect(throws: OutputTaken.self) { try OutputFile(path: path, mark: [1], kind: "page").check() }
        }
    }

    @Test func behindASymlinkItsTargetIsWritten() throws {
        try with("mark, old") { file, folder throws in
            try Directory(folder).createLink("link", to: "out")
            try OutputFile(path: folder.appending("link"), mark: file.mark, kind: "page").write(Self.fresh)
            #expect(try OpenFile(reading: file.path).readAll() == Self.fresh)
            #expect(try FileFacts(of: folder.appending("link"), followingLinks: false).kind == .symlink)
        }
    }

    /// The disk of its target may not be mounted now: a file in the link's place would stay when it is.
    @Test(arguments: ["gone", "away/report.html", "/none/at/all"] as [FilePath])
    func aLinkToNothingStaysALink(target: FilePath) throws {
        try with(nil) { file, folder throws in
            try Directory(folder).createLink("out", to: target)
            #expect(throws: OutputTaken.self) { try file.check() }
            #expect(throws: OutputTaken.self) { try file.write(Self.fresh) }
            #expect(try Directory(folder).target(ofLink: "out") == target)
            #expect(try Directory(folder).names() == ["out"])
        }
    }

    /// The mark of a file that ends with it is looked for there alone, also where the file is shorter than the mark.
    @Test(arguments: [
        Fact("at the end", "a picture, mark", true), Fact("nothing but the mark", "mark", true),
        Fact("in the middle", "mark, a picture", false), Fact("all but its first byte", "ark", false),
        Fact("all but its last byte", "a picture, mar", false), Fact("nothing at all", "", true),
        Fact("far behind", String(repeating: " ", count: 10_000) + "mark", true),
        Fact("a byte before the end", "mark ", false),
    ])
    func aMarkAtTheEndIsLookedForThere(_ fact: Fact<String, Bool>) throws {
        try with(fact.input) { file, folder throws in
            let last = OutputFile(path: file.path, mark: file.mark, kind: "picture", isLast: true)
            if fact.output {
                try last.write(Self.fresh)
            } else {
                #expect(throws: OutputTaken.self) { try last.write(Self.fresh) }
            }
            let now = try OpenFile(reading: file.path).readAll()
            #expect(now == (fact.output ? Self.fresh : Array(fact.input.utf8)))
            #expect(try Directory(folder).names() == ["out"])
        }
    }

    /// A file of that name stays: nothing marks it as ours.
    @Test(arguments: [nil, "mark, old"])
    func aFileBesideIsNotTakenForAPartOfOurs(_ old: String?) throws {
        try with(old) { file, folder throws in
            for name in [".out.part", "out.part"] {
                try OpenFile(creating: folder.appending(FilePath(name))).append(Array("mine".utf8))
            }
            try file.write(Self.fresh)
            #expect(try OpenFile(reading: file.path).readAll() == Self.fresh)
            for name in [".out.part", "out.part"] {
                #expect(try OpenFile(reading: folder.appending(FilePath(name))).readAll() == Array("mine".utf8))
            }
            #expect(try Directory(folder).names() == [".out.part", "out", "out.part"])
        }
    }

    /// A directory holds names of 255 bytes: one as long can be written, and one byte more cannot.
    @Test(arguments: [1, 249, 250, 255])
    func aNameMayBeAsLongAsNamesAre(length: Int) throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path.appending(FilePath(String(repeating: "n", count: length)))
        let file = OutputFile(path: path, mark: Array("mark".utf8), kind: "page")
        for _ in 0..<2 { try file.write(Self.fresh) }
        #expect(try OpenFile(reading: path).readAll() == Self.fresh)
        #expect(try Directory(directory.path).names().count == 1)
    }

    @Test func aNameThatIsTooLongIsRefused() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path.appending(FilePath(String(repeating: "n", count: 256)))
        let file = OutputFile(path: path, mark: Array("mark".utf8), kind: "page")
        #expect(throws: SystemError.self) { try file.check() }
        #expect(throws: SystemError.self) { try file.write(Self.fresh) }
        #expect(try Directory(directory.path).names() == [])
    }

    /// Something in the way of the part stands for a disk that is full; it stays, too.
    @Test(arguments: [true, false])
    func whatCannotBeWrittenLeavesTheOldFile(isDirectory: Bool) throws {
        try with("mark, old") { file, folder throws in
            let taken = folder.appending(".taken")
            if isDirectory { try Directory.create(at: taken) } else { try OpenFile(creating: taken).append([7]) }
            var file = file
            file.part = ".taken"
            #expect(throws: SystemError.self) { try file.write(Self.fresh) }
            #expect(try OpenFile(reading: file.path).readAll() == Array("mark, old".utf8))
            if !isDirectory { #expect(try OpenFile(reading: taken).readAll() == [7]) }
            #expect(try Directory(folder).names() == [".taken", "out"])
        }
    }
}
