import Platform
import TestSupport
import Testing

@Suite struct DiskTests {
    static let old = Array("old content".utf8)
    static let new = Array("new, longer content".utf8)

    /// The new content in so many parts.
    static func new(in parts: Int) -> [[UInt8]] {
        let size = new.count / parts
        return (0..<parts).map { Array(new[$0 * size..<($0 + 1 == parts ? new.count : ($0 + 1) * size)]) }
    }

    @Test(arguments: [nil, "state.1"])
    func replacingLeavesTheNewContentAndWhereWantedTheOld(previous: String?) async throws {
        try await FileTree(["state": "old content", "state.1": "older"]).withDirectory { root in
            let disk = try LocalDisk(directory: root)
            try disk.replace("state", with: Self.new, keepingPrevious: previous)
            #expect(try disk.read("state") == Self.new)
            #expect(try disk.read("state.1") == (previous == nil ? Array("older".utf8) : Self.old))
            #expect(try disk.names() == ["state", "state.1"])
            #expect(try FileFacts(of: root.appending("state")).mode == 0o600)
        }
    }

    @Test func aFirstReplaceHasNothingToKeep() async throws {
        try await FileTree().withDirectory { root in
            let disk = try LocalDisk(directory: root)
            try disk.replace("state", with: Self.new, keepingPrevious: "state.1")
            #expect(try FileTree(at: root) == ["state": .file(Self.new)])
        }
    }

    @Test func leftoversOfACrashAreOverwritten() async throws {
        try await FileTree(["state": "old content", "state.new": "xxxxxxxxxxxxxxxxxxxxxxxxx", "state.1.new": "x"])
            .withDirectory { root in
                try LocalDisk(directory: root).replace("state", with: Self.new, keepingPrevious: "state.1")
                #expect(try FileTree(at: root) == ["state": .file(Self.new), "state.1": .file(Self.old)])
            }
    }

    @Test(arguments: [FailingDisk.Afterwards.recovers, .staysBroken], [1, 4])
    func whateverCallFailsTheOldContentOrTheNewIsThere(afterwards: FailingDisk.Afterwards, parts: Int) {
        for callsBeforeFailure in 0... {
            let contents = RecordingDisk(["state": Self.old])
            let disk = FailingDisk(contents, callsBeforeFailure: callsBeforeFailure, afterwards: afterwards)
            let error = (try? disk.replace("state", withParts: Self.new(in: parts), keepingPrevious: "state.1")) == nil
            #expect(error == disk.hasFailed)
            #expect(contents.contents["state"] == Self.new || contents.contents["state"] == Self.old)
            if !disk.hasFailed { return #expect(callsBeforeFailure == 7 + parts) }
        }
    }

    @Test(arguments: [1, 4])
    func aPowerCutAnywhereLeavesOneOfBoth(parts: Int) throws {
        let disk = RecordingDisk(["state": Self.old, "state.1": Array("older".utf8)])
        try disk.replace("state", withParts: Self.new(in: parts), keepingPrevious: "state.1")
        disk.acknowledge("new")
        let cuts = disk.powerCuts()
        for cut in cuts {
            let state = try #require(cut.contents["state"], "\(cut)")
            #expect(state == Self.new || state == Self.old && cut.acknowledged.isEmpty, "\(cut)")
            #expect(["older", "old content"].contains(String(decoding: cut.contents["state.1"] ?? [], as: UTF8.self)))
        }
        #expect(Set(cuts.map(\.contents)).count > 5)
    }

    @Test func withoutHardLinksTheOldContentIsCopied() throws {
        let disk = LinklessDisk(disk: RecordingDisk(["state": Self.old]))
        try disk.replace("state", with: Self.new, keepingPrevious: "state.1")
        #expect(disk.disk.contents == ["state": Self.new, "state.1": Self.old])
    }

    @Test func aMadeFileIsAnotherThanTheOneBefore() async throws {
        try await FileTree(["a": "old"]).withDirectory { root in
            let disk = try LocalDisk(directory: root)
            try disk.link("a", to: "b")
            try disk.create("a").write([1])
            #expect(try disk.read("b") == Array("old".utf8))
            #expect(try disk.read("a") == [1])
            let file = try disk.append("a")
            try file.write([2])
            try file.synchronize()
            #expect(try disk.read("a") == [1, 2])
            #expect(throws: SystemError.self) { try disk.link("a", to: "b") }
            try disk.remove("a")
            try disk.remove("a")
            #expect(try disk.read("a") == nil)
        }
    }

    /// A file system without hard links, such as FAT.
    struct LinklessDisk: Disk {
        let disk: RecordingDisk

        func link(_ source: String, to target: String) throws(SystemError) {
            throw SystemError(call: "linkat", code: 1)
        }

        func read(_ name: String) -> [UInt8]? { disk.read(name) }
        func names() -> [String] { disk.names() }
        func create(_ name: String) -> any DiskFile { disk.create(name) }
        func append(_ name: String) -> any DiskFile { disk.append(name) }
        func open(_ name: String) throws(SystemError) -> any DiskFile { try disk.open(name) }
        func rename(_ source: String, to target: String) throws(SystemError) { try disk.rename(source, to: target) }
        func remove(_ name: String) { disk.remove(name) }
        func synchronizeDirectory() { disk.synchronizeDirectory() }
    }
}
