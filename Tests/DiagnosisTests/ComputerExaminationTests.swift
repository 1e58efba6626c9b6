import Fixtures
import Foundation
import MediaModel
import Platform
import Sync
import TestSupport
import Testing
import Uploading

@testable import Catalog
@testable import Configuration
@testable import Diagnosis

@Suite struct ComputerExaminationTests {
    private static func examination(_ settings: Settings, below folder: FilePath) throws -> ComputerExamination {
        let request = LocationRequest(environment: ["HOME": folder.display], stateDirectory: folder, user: 1)
        return ComputerExamination(
            settings: settings, locations: try Locations(for: request), program: try MediaFixture.program())
    }

    @Test(
        arguments: [
            (Int64(99_999_999), Finding.Result.wrong), (100_000_000, .doubtful), (999_999_999, .doubtful),
            (1_000_000_000, .fine),
        ])
    func roomIsNeeded(free: Int64, result: Finding.Result) async throws {
        try await FileTree().withDirectory { folder throws in
            let kind = try Directory(folder).fileSystem()
            #expect(ComputerExamination.room(free, "/state", kind).result == result)
        }
    }

    @Test(arguments: [(8192, 8192, Finding.Result.fine), (8193, 8192, .wrong)])
    func watchesHaveALimit(count: Int, limit: Int, result: Finding.Result) {
        let finding = ComputerExamination.watches(directories: count, limit: limit)
        #expect(finding.result == result)
        #expect(finding.sentence.contains("max_user_watches=524288") == (result == .wrong))
    }

    @Test(arguments: [
        ("inotify_init1", Int32(EMFILE), "sudo sysctl fs.inotify.max_user_instances=1024"),
        ("inotify_init1", ENOMEM, "Cannot allocate memory"),
    ])
    func thatNothingCanBeWatchedIsTold(call: String, code: Int32, words: String) {
        let finding = ComputerExamination.watches(lacking: SystemError(call: call, code: code))
        #expect(finding.result == .wrong)
        #expect(finding.sentence.contains(words))
    }

    @Test func theAdviceIsEnoughForAll() {
        let finding = ComputerExamination.watches(directories: 400_000, limit: 8192)
        #expect(finding.sentence.contains("max_user_watches=800000"))
    }

    @Test func stateIsTriedWithoutMakingIt() async throws {
        try await FileTree(["file": "x"]).withDirectory { folder throws in
            #expect(ComputerExamination.state(folder.appending("a/b")).result != .wrong)
            #expect(try Directory(folder).names() == ["file"])
            let inFile = ComputerExamination.state(folder.appending("file/state"))
            #expect(inFile.result == .wrong && ExitMeaning(inFile) == .needsHuman)
        }
    }

    @Test func rootsThatCannotBeReadAreTold() {
        #expect(Finding.roots([]).map(\.result) == [.doubtful])
        let roots = [Settings.Root(path: "/"), Settings.Root(path: "/none")]
        #expect(Finding.roots(roots).map(\.result) == [.fine, .wrong])
    }

    @Test func rootsThatAreOneDirectoryAreTold() async throws {
        try await FileTree(["P": [:], "L": .symlink(to: "P")]).withDirectory { folder in
            let roots = [Settings.Root(path: folder.appending("P")), Settings.Root(path: folder.appending("L"))]
            let findings = Finding.roots(roots)
            #expect(findings.map(\.result) == [.fine, .wrong])
            #expect(findings.last?.sentence.hasPrefix("\(folder)/L and \(folder)/P are one directory") == true)
            #expect(findings.last.map { ExitMeaning($0) } == .needsHuman)
        }
    }

    @Test func whatTheKernelRefusedIsTold() {
        let all = Finding.walls(WorkerWalls(granted: ["a", "b"], refused: []))
        #expect(all == .fine("media worker", "confined by a, b"))
        let some = Finding.walls(WorkerWalls(granted: ["a"], refused: [.init(wall: "Landlock", reason: "ENOSYS")]))
        #expect(some == .doubtful("media worker", "confined by a; this kernel refuses Landlock (ENOSYS)."))
    }

    @Test func theRealWorkerTellsItsWalls() async throws {
        let walls = try await WorkerWalls.ask(try MediaFixture.program())
        #expect(walls.granted.first == "filter of system calls")
        #expect(walls.granted.count + walls.refused.count == 4)
    }

    @Test func aWorkerThatDoesNotStartIsTold() async throws {
        #expect(await Finding.walls(of: "/none/worker").result == .wrong)
        let silent = await Finding.walls(of: "/bin/true")
        #expect(silent.result == .wrong && silent.sentence.contains("ended with 0 before"))
    }

    @Test func formatsAreToldByWhatCameOfThem() {
        let fine = ComputerExamination.formats([("jpeg", .read), ("png", .read), ("jxl", .untried)])
        #expect(fine == .fine("formats", "reads jpeg png; not tried: jxl"))
        let none = ComputerExamination.formats([("jpeg", .untried), ("png", .untried)])
        #expect(none.result == .doubtful && none.sentence.hasPrefix("no sample could be made"))
        let bad = ComputerExamination.formats([("jpeg", .read), ("heic", .unread("no decoder"))])
        #expect(bad.result == .doubtful && bad.sentence.hasPrefix("reads jpeg, not heic (no decoder)."))
    }

    @Test func whatIsThereIsLookedAt() async throws {
        try await FileTree(["Pictures": ["2026": ["a.jpg": "x"], ".hidden": ["b": "x"]]]).withDirectory {
            folder throws in
            var settings = Settings()
            settings.roots = [Settings.Root(path: folder.appending("Pictures"))]
            settings.thumbnails.enabled = false
            let findings = try await Self.examination(settings, below: folder).findings()
            #expect(findings.map(\.name) == ["root", "state", "watching"])
            #expect(findings.last?.sentence.hasPrefix("2 directories") == true)
        }
    }

    @Test(arguments: [
        (ThumbnailFormat.avif, ThumbnailFormat?.some(.avif), 0), (.avif, .jpeg, 1), (.avif, nil, 0), (.webp, .webp, 0),
    ])
    func anEncoderThatIsMissingIsTold(wanted: ThumbnailFormat, made: ThumbnailFormat?, count: Int) {
        let findings = ComputerExamination.thumbnails(wanted, made: made)
        #expect(findings.count == count && findings.allSatisfy { $0.result == .doubtful })
    }

    @Test func formatsAreTriedWithTheRealWorker() async throws {
        try await FileTree().withDirectory { folder throws in
            let examination = try Self.examination(Settings(), below: folder)
            #expect(await examination.formats(["jpeg", "none"]) == [.fine("formats", "reads jpeg; not tried: none")])
            #expect(try Directory(folder.appending("cache")).names().isEmpty)
        }
    }
}
