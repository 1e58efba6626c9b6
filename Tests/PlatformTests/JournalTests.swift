import Synchronization
import TestSupport
import Testing

@testable import Platform

extension Commit {
    /// Returns once the line is on the disk.
    func written() async throws { try await withLimit("a journal's line is on the disk") { try await self.wait() } }
}

@Suite struct JournalTests {
    static func line(_ number: Int) -> [UInt8] { Array("line \(number)".utf8) }

    @Test func linesAreInTheFileInOrderOnceTheirCommitReturned() async throws {
        let disk = RecordingDisk()
        let journal = Journal(disk.append("j"), byteCount: 0)
        for number in 0..<20 {
            try await journal.append(Self.line(number)).written()
            disk.acknowledge("\(number)")
        }
        try await journal.close()
        let text = (0..<20).map { "line \($0)\n" }.joined()
        #expect(disk.contents["j"] == Array(text.utf8))
        #expect(journal.byteCount == text.utf8.count)
    }

    @Test func aPowerCutKeepsWhatWasAcknowledged() async throws {
        let disk = RecordingDisk()
        let file = disk.create("j")
        disk.synchronizeDirectory()
        let journal = Journal(file)
        for number in 0..<6 {
            let first = journal.append(Self.line(number * 2))
            try await journal.append(Self.line(number * 2 + 1)).written()
            try await first.written()
            disk.acknowledge("\(number * 2 + 1)")
        }
        try await journal.close()
        for cut in disk.powerCuts() {
            let lines = String(decoding: cut.contents["j"] ?? [], as: UTF8.self).split(separator: "\n")
            for number in 0...(cut.acknowledged.last.flatMap { Int($0) } ?? 0) where !cut.acknowledged.isEmpty {
                #expect(lines.count > number && lines[number] == "line \(number)", "\(cut)")
            }
        }
    }

    @Test(arguments: [FailingDisk.Afterwards.recovers, .staysBroken])
    func afterOneFailureNothingIsAcknowledgedAnyMore(afterwards: FailingDisk.Afterwards) async throws {
        for callsBeforeFailure in 1... {
            let recording = RecordingDisk()
            let disk = FailingDisk(recording, callsBeforeFailure: callsBeforeFailure, afterwards: afterwards)
            let journal = try Journal(disk.append("j"))
            var acknowledged = 0
            var failures = 0
            for number in 0..<5 {
                do {
                    try await journal.append(Self.line(number)).written()
                    #expect(failures == 0)
                    acknowledged += 1
                } catch let error as SystemError {
                    #expect(error.isDiskFull)
                    failures += 1
                }
            }
            let isClosed = (try? await journal.close()) != nil
            #expect(isClosed == (failures == 0))
            let text = String(decoding: recording.contents["j"] ?? [], as: UTF8.self)
            #expect(text.split(separator: "\n").count >= acknowledged)
            // Five lines, each a write and a synchronization.
            if !disk.hasFailed { return #expect(callsBeforeFailure == 11) }
        }
    }

    @Test func linesThatComeTogetherShareASynchronization() async throws {
        let disk = GatedDisk()
        disk.close()
        let journal = Journal(disk.append("j"))
        let first = journal.append(Self.line(0))
        try await eventually("the first batch is synchronized") { disk.synchronizations == 1 }
        let rest = (1...100).map { journal.append(Self.line($0)) }
        disk.open()
        try await first.written()
        for commit in rest { try await commit.written() }
        #expect(disk.synchronizations == 2)
    }

    @Test func manyWaitersAreAllResumed() async throws {
        let disk = RecordingDisk()
        let journal = Journal(disk.append("j"))
        try await withThrowingTaskGroup { group in
            for number in 0..<500 {
                group.addTask {
                    let commit = journal.append(Self.line(number))
                    try await commit.written()
                    try await commit.written()
                }
            }
            try await group.waitForAll()
        }
        try await journal.close()
        let lines = String(decoding: disk.contents["j"] ?? [], as: UTF8.self).split(separator: "\n")
        #expect(Set(lines) == Set((0..<500).map { "line \($0)" }))
        #expect(lines.count == 500)
    }

    @Test func aClosedJournalRefuses() async throws {
        let disk = RecordingDisk()
        let journal = Journal(disk.append("j"))
        _ = journal.append(Self.line(1))
        try await journal.close()
        try await journal.close()
        await #expect(throws: SystemError.self) { try await journal.append(Self.line(2)).written() }
        #expect(disk.contents["j"] == Array("line 1\n".utf8))
    }

    @Test func aJournalLetGoOfStillWrites() async throws {
        let disk = RecordingDisk()
        let commit = Journal(disk.append("j")).append(Self.line(1))
        try await commit.written()
        #expect(disk.contents["j"] == Array("line 1\n".utf8))
    }

    @Test func aJournalLetGoOfClosesItsFile() async throws {
        try await FileTree().withDirectory { root in
            for number in 0..<50 {
                let journal = try Journal(LocalDisk(directory: root).append("\(number)"))
                if number.isMultiple(of: 2) { _ = journal.append(Self.line(number)) }
                if number.isMultiple(of: 3) { try await journal.close() }
            }
            try await eventually("no file is open") { try OpenFiles.below(root).isEmpty }
        }
    }

    @Test func itWritesToARealFile() async throws {
        try await FileTree(["j": "before\n"]).withDirectory { root in
            let journal = try Journal(LocalDisk(directory: root).append("j"), byteCount: 7)
            try await journal.append(Self.line(1)).written()
            #expect(try FileTree(at: root) == ["j": "before\nline 1\n"])
            #expect(journal.byteCount == 14)
        }
    }
}
