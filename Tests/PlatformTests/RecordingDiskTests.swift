import Platform
import TestSupport
import Testing

/// The states after a power cut, by the disk in memory.
@Suite struct RecordingDiskTests {
    /// The contents of `name` that a power cut after all calls may leave; `nil` is "no such file".
    static func survivors(of name: String, on disk: RecordingDisk) -> Set<[UInt8]?> {
        let count = disk.calls.count
        return Set(disk.powerCuts().filter { $0.calls.count == count }.map { $0.contents[name] })
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var contents: [String: [UInt8]] = [:]
        let steps: @Sendable (RecordingDisk) throws -> Void
        let survivors: Set<[UInt8]?>
    }

    @Test(arguments: [
        Row(
            testDescription: "what is synchronized survives",
            steps: {
                let file = $0.create("a")
                try file.write([1, 2])
                try file.synchronize()
                $0.synchronizeDirectory()
            }, survivors: [[1, 2]]),
        Row(
            testDescription: "unsynchronized bytes are kept, dropped, torn or zero", contents: ["a": [7]],
            steps: { try $0.append("a").write([1, 2]) }, survivors: [[7, 1, 2], [7], [7, 1], [7, 0, 0]]),
        Row(
            testDescription: "a single byte cannot be torn", contents: ["a": [7]],
            steps: { try $0.append("a").write([1]) }, survivors: [[7, 1], [7], [7, 0]]),
        Row(
            testDescription: "appended and synchronized bytes need no directory", contents: ["a": [7]],
            steps: {
                let file = $0.append("a")
                try file.write([1, 2])
                try file.synchronize()
            }, survivors: [[7, 1, 2]]),
        Row(
            testDescription: "an unsynchronized name may be missing",
            steps: {
                let file = $0.create("a")
                try file.write([1])
                try file.synchronize()
            }, survivors: [[1], nil]),
        Row(
            testDescription: "nothing done leaves all", contents: ["a": [7]],
            steps: { $0.synchronizeDirectory() }, survivors: [[7]]),
    ])
    func aPowerCutLeaves(_ row: Row) throws {
        let disk = RecordingDisk(row.contents)
        try row.steps(disk)
        #expect(Self.survivors(of: "a", on: disk) == row.survivors)
    }

    @Test func aRenamingHappensOrDoesNot() throws {
        let disk = RecordingDisk(["a": [1], "b": [2]])
        try disk.rename("a", to: "b")
        let last = disk.powerCuts().filter { $0.calls.count == 1 }.map(\.contents)
        #expect(Set(last) == [["a": [1], "b": [2]], ["b": [1]]])
        disk.synchronizeDirectory()
        #expect(Self.survivors(of: "b", on: disk) == [[1]])
    }

    @Test func renamingsMaySurviveInAnyCombination() throws {
        let disk = RecordingDisk(["a": [1], "b": [2]])
        try disk.rename("a", to: "x")
        try disk.rename("b", to: "y")
        let last = disk.powerCuts().filter { $0.calls.count == 2 }.map { $0.contents.keys.sorted() }
        #expect(Set(last) == [["a", "b"], ["b", "x"], ["a", "y"], ["x", "y"]])
    }

    @Test func promisesAreListedWithTheCutsAfterThem() throws {
        let disk = RecordingDisk()
        disk.acknowledge("one")
        _ = disk.create("a")
        disk.acknowledge("two")
        let cuts = disk.powerCuts()
        #expect(cuts.first?.acknowledged == [])
        #expect(cuts.last?.acknowledged == ["one", "two"])
        #expect(disk.calls == ["acknowledge one", "create a", "acknowledge two"])
        #expect(cuts.last?.description.hasPrefix("power cut after 3 calls (acknowledge two)") == true)
    }

    @Test func aCutDiskGoesOn() throws {
        let disk = RecordingDisk(["a": [1]])
        try disk.append("a").write([2])
        let cut = try #require(disk.powerCuts().first { $0.contents["a"] == [1] })
        try cut.disk.append("a").write([3])
        #expect(cut.contents["a"] == [1])
        #expect(cut.disk.contents["a"] == [1])
    }

    @Test func manyPendingChangesAreCutInOrderFromBothEnds() throws {
        let disk = RecordingDisk()
        for number in 0..<10 { _ = disk.create("\(number)") }
        let last = Set(disk.powerCuts().filter { $0.calls.count == 10 }.map { $0.contents.count })
        #expect(last == Set(0...10))
    }

    @Test func aFailingDiskCountsAndFailsOnce() throws {
        let disk = FailingDisk(RecordingDisk(["a": [1]]), callsBeforeFailure: 1, afterwards: .recovers)
        #expect(try disk.read("a") == [1])
        #expect(!disk.hasFailed)
        let error = #expect(throws: SystemError.self) { try disk.read("a") }
        #expect(error?.isDiskFull == true)
        #expect(disk.hasFailed)
        #expect(try disk.names() == ["a"])
    }

    @Test func aFailedWriteLeavesHalf() throws {
        let contents = RecordingDisk()
        let disk = FailingDisk(contents, callsBeforeFailure: 1)
        let file = try disk.create("a")
        #expect(throws: SystemError.self) { try file.write([1, 2, 3, 4]) }
        #expect(throws: SystemError.self) { try file.synchronize() }
        #expect(contents.contents["a"] == [1, 2])
    }
}
