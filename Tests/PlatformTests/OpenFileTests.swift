import Glibc
import Platform
import TestSupport
import Testing

@Suite struct OpenFileTests {
    @Test func whatIsWrittenIsRead() async throws {
        try await FileTree().withDirectory { root in
            let file = try OpenFile(creating: root.appending("a"))
            try file.write(Array("hello".utf8), at: 2)
            try file.write([1], at: 0)
            #expect(try file.readAll() == [1, 0] + Array("hello".utf8))
            #expect(try file.read(at: 2, upTo: 4) == Array("hell".utf8))
            #expect(try file.read(at: 5, upTo: 100) == Array("lo".utf8))
            #expect(try file.read(at: 7, upTo: 1).isEmpty)
            #expect(try file.facts().size == 7)
        }
    }

    @Test func aPipeWithoutAReaderSaysSo() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let writer = OpenFile(descriptor: ends[1])
        try writer.checkReader()
        close(ends[0])
        // A child that another test starts has the reading end until its exec.
        try await eventually("the pipe has no reader") { (try? writer.checkReader()) == nil }
        let error = #expect(throws: SystemError.self) { try writer.checkReader() }
        #expect(error?.isReaderGone == true)
        try OpenFile(appending: "/dev/null").checkReader()
        try await FileTree(["a": "one"]).withDirectory { try OpenFile(reading: $0.appending("a")).checkReader() }
    }

    @Test func appendsGoOnWhereTheLastEnded() async throws {
        try await FileTree(["a": "one"]).withDirectory { root in
            let file = try OpenFile(appending: root.appending("a"))
            try file.append(Array("two".utf8))
            try file.append([])
            try file.append(Array("three".utf8))
            #expect(try FileTree(at: root) == ["a": "onetwothree"])
        }
    }

    @Test func exclusiveCreationSparesAnExistingFile() async throws {
        try await FileTree(["a": "precious"]).withDirectory { root in
            let error = #expect(throws: SystemError.self) {
                try OpenFile(creating: root.appending("a"), exclusive: true)
            }
            #expect(error?.isPresent == true)
            #expect(try FileTree(at: root) == ["a": "precious"])
            _ = try OpenFile(creating: root.appending("a"))
            #expect(try FileTree(at: root) == ["a": ""])
        }
    }

    @Test func aMissingFileIsNamed() {
        let error = #expect(throws: SystemError.self) { try OpenFile(reading: "/nowhere/x") }
        #expect(error?.isMissing == true)
        #expect(error?.description == "/nowhere/x: No such file or directory")
    }

    struct Use: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let use: @Sendable (FilePath) throws -> Void
        /// Why it is refused; `nil` where it is not.
        let code: Int32?

        init(_ fact: String, _ code: Int32? = nil, use: @escaping @Sendable (FilePath) throws -> Void) {
            (testDescription, self.code, self.use) = (fact, code, use)
        }
    }

    @Test(arguments: [
        Use("a file of its limit is read") { _ = try OpenFile(reading: $0.appending("a")).readAll(limit: 5) },
        Use("one of a byte more is not", EFBIG) { _ = try OpenFile(reading: $0.appending("a")).readAll(limit: 4) },
        Use("nor one without an end", EFBIG) { _ in _ = try OpenFile(reading: "/dev/zero").readAll(limit: 4) },
        Use("a directory is not read", EISDIR) { _ = try OpenFile(reading: $0).readAll() },
        Use("nor a byte of it", EISDIR) { _ = try OpenFile(reading: $0).read(at: 0, upTo: 1) },
        Use("a file open for reading is not written to", EBADF) {
            try OpenFile(reading: $0.appending("a")).write([1], at: 0)
        },
        Use("nor appended to", EBADF) { try OpenFile(reading: $0.appending("a")).append([1]) },
        Use("nor cut", EINVAL) { try OpenFile(reading: $0.appending("a")).truncate(to: 0) },
        Use("a directory is not opened for writing", EISDIR) { _ = try OpenFile(creating: $0) },
        Use("what is below a file is not there", ENOTDIR) { _ = try OpenFile(reading: $0.appending("a/b")) },
    ])
    func aFileIsUsed(_ row: Use) async throws {
        try await FileTree(["a": "12345"]).withDirectory { root in
            var code: Int32?
            do { try row.use(root) } catch let error as SystemError { code = error.code }
            #expect(code == row.code)
            #expect(try FileTree(at: root) == ["a": "12345"])
        }
    }

    @Test func truncationCutsAndLengthens() async throws {
        try await FileTree().withDirectory { root in
            let file = try OpenFile(creating: root.appending("a"))
            try file.append([1, 2, 3])
            try file.truncate(to: 2)
            try file.truncate(to: 4)
            try file.synchronize()
            #expect(try file.readAll() == [1, 2, 0, 0])
        }
    }

    @Test(arguments: [0, 1, -1, 1_700_000_000_123_456_789, -1_500_000_000])
    func aModificationTimeKeepsItsNanoseconds(nanoseconds: Int64) async throws {
        try await FileTree().withDirectory { root in
            let file = try OpenFile(creating: root.appending("a"))
            try file.setModified(FileTime(nanoseconds: nanoseconds))
            #expect(try file.facts().modifiedAt == FileTime(nanoseconds: nanoseconds))
        }
    }

    @Test func pipesAndFilesOfTheKernelAreReadToTheirEnd() throws {
        #expect(try OpenFile(reading: "/proc/self/status").readAll().starts(with: Array("Name:".utf8)))
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let reader = OpenFile(descriptor: ends[0])
        try OpenFile(descriptor: ends[1]).append(Array("through".utf8))
        #expect(try reader.readAll() == Array("through".utf8))
    }
}
