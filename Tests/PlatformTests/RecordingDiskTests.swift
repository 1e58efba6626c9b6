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

    struct Names: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: @Sendable (RecordingDisk) throws -> Void
        /// All that may be there after a power cut that follows the last call.
        let left: Set<[String: [UInt8]]>
    }

    @Test(arguments: [
        Names(
            testDescription: "a renaming happens or does not", steps: { try $0.rename("a", to: "b") },
            left: [["a": [1], "b": [2]], ["b": [1]]]),
        Names(
            testDescription: "of a durable one nothing else is left",
            steps: {
                try $0.rename("a", to: "b")
                $0.synchronizeDirectory()
            }, left: [["b": [1]]]),
        Names(
            testDescription: "renamings may survive in any combination",
            steps: {
                try $0.rename("a", to: "x")
                try $0.rename("b", to: "y")
            },
            left: [
                ["a": [1], "b": [2]], ["x": [1], "b": [2]], ["a": [1], "y": [2]], ["x": [1], "y": [2]],
            ]),
        Names(
            testDescription: "a removal happens or does not", steps: { $0.remove("a") },
            left: [["a": [1], "b": [2]], ["b": [2]]]),
        Names(
            testDescription: "of many changes those at either end may be missing",
            steps: { disk in for number in 0..<10 { _ = disk.create("\(number)") } },
            left: Set(
                (0...10).flatMap { count in
                    [(0..<count), (10 - count..<10)].map { names in
                        Dictionary(uniqueKeysWithValues: names.map { ("\($0)", []) })
                            .merging(["a": [1], "b": [2]]) { $1 }
                    }
                })),
    ])
    func namesThatAPowerCutLeaves(_ row: Names) throws {
        let disk = RecordingDisk(["a": [1], "b": [2]])
        try row.steps(disk)
        let count = disk.calls.count
        #expect(Set(disk.powerCuts().filter { $0.calls.count == count }.map(\.contents)) == row.left)
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
