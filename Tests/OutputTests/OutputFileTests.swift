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

    @Test func whatCannotBeWrittenLeavesTheOldFile() throws {
        try with("mark, old") { file, folder throws in
            // A directory in the way of the part stands for a disk that is full.
            try Directory.create(at: folder.appending(".out.part"))
            #expect(throws: SystemError.self) { try file.write(Self.fresh) }
            #expect(try OpenFile(reading: file.path).readAll() == Array("mark, old".utf8))
        }
    }
}
