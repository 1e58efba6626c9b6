import Platform
import TestSupport
import Testing

/// Concurrent writes to one journal, with a power cut at any call.
@Suite struct JournalCrashTests {
    static let name = "journal"

    /// The whole lines after a power cut; a torn last line is dropped.
    static func lines(_ cut: PowerCut) -> [String] {
        let bytes = cut.contents[name] ?? []
        let whole = bytes.prefix((bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)
        return String(decoding: whole, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Four writers of ten lines each, every line acknowledged once its commit returned.
    static func write(to journal: Journal, on disk: RecordingDisk) async throws {
        try await withThrowingTaskGroup { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<10 {
                        let line = "\(writer)-\(number)"
                        try await journal.append(Array(line.utf8)).written()
                        disk.acknowledge(line)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func everyAcknowledgedLineIsThereAfterEveryCut() async throws {
        let disk = RecordingDisk()
        let file = disk.create(Self.name)
        disk.synchronizeDirectory()
        let journal = Journal(file)
        try await Self.write(to: journal, on: disk)
        try await journal.close()
        let cuts = disk.powerCuts()
        for cut in cuts {
            #expect(Set(cut.acknowledged).isSubset(of: Self.lines(cut)), "\(cut)")
        }
        #expect(cuts.last.map { Set(Self.lines($0)).count } == 40)
    }

    @Test func eachWritersLinesKeepTheirOrder() async throws {
        let disk = RecordingDisk()
        let journal = Journal(disk.append(Self.name))
        try await Self.write(to: journal, on: disk)
        let lines = try #require(disk.powerCuts().last.map(Self.lines))
        for writer in 0..<4 {
            #expect(lines.filter { $0.hasPrefix("\(writer)-") } == (0..<10).map { "\(writer)-\($0)" })
        }
    }

    @Test func aJournalGoesOnBehindWhatACutLeft() async throws {
        let disk = RecordingDisk([Self.name: Array("old\n".utf8)])
        let journal = Journal(disk.append(Self.name), byteCount: 4)
        try await journal.append(Array("new".utf8)).written()
        #expect(journal.byteCount == 8)
        #expect(disk.contents[Self.name] == Array("old\nnew\n".utf8))
    }
}
