import Platform
import TestSupport
import Testing

@testable import Benchmarks

/// The folders, the media and the programs that rows share.
@Suite struct WorkbenchTests {
    private static func write(_ text: String, at path: FilePath) throws {
        try Directory.create(at: path.parent)
        try OpenFile(creating: path).append(Array(text.utf8))
    }

    private static func names(_ folder: FilePath) throws -> [String] {
        try Directory(folder).names().map(\.display).sorted()
    }

    @Test func aFreshPlaceIsEmpty() async throws {
        try await Bench.with { bench in
            let place = try await bench.bench.fresh(.server)
            try Self.write("x", at: place.appending("a/b"))
            #expect(try await bench.bench.fresh(.server) == place)
            #expect(try Self.names(place).isEmpty)
        }
    }

    @Test func anUnusedPlacePutsTheFormerOneAside() async throws {
        try await Bench.with { bench in
            for text in ["one", "two"] {
                let place = try await bench.bench.unused(.state)
                #expect(try Self.names(place).isEmpty)
                try Self.write(text, at: place.appending("file"))
            }
            _ = try await bench.bench.unused(.state)
            let former = bench.bench.folder.appending("former")
            let kept = try Self.names(former).map { name in
                String(
                    decoding: try OpenFile(reading: former.appending(FilePath(name)).appending("file")).readAll(),
                    as: UTF8.self)
            }
            #expect(kept.sorted() == ["one", "two"])
        }
    }

    @Test func inANamedFolderOnlyTheMediaStay() async throws {
        try await Bench.with { bench in
            for place in Workbench.Place.allCases { _ = try await bench.bench.fresh(place) }
            try Self.write("x", at: bench.bench.folder.appending("mine.txt"))
            await bench.bench.clear()
            #expect(try Self.names(bench.bench.folder) == ["media", "mine.txt"])
        }
    }

    @Test func aFolderOfItsOwnGoes() async throws {
        let bench = try Workbench(try BenchmarkOrder([]))
        #expect(try FileFacts.existing(bench.folder) != nil)
        _ = try await bench.fresh(.media)
        await bench.clear()
        #expect(try FileFacts.existing(bench.folder) == nil)
    }

    @Test func aCorpusThatIsNotThereIsToldBeforeAnythingIsMeasured() throws {
        #expect(throws: SystemError.self) { try Workbench(try BenchmarkOrder(["--corpus", "/nowhere/photos"])) }
    }

    // MARK: - Programs

    @Test func theFirstThatCanBeRunIsTaken() async throws {
        try await FileTree(["a": ["tool": "no program"], "b": ["tool": ["a": "folder"]], "c": [:]]).withDirectory {
            folder in
            let folders = ["nowhere", "a", "b", "c"].map { folder.appending(FilePath($0)) }
            let programs = Programs(own: folder, folders: folders)
            #expect(programs.find("tool") == nil)
            #expect(throws: ProgramAbsent.self) { try programs.tool("tool") }
            try await Executable.write("#!/bin/sh\n", at: folders[3].appending("tool"))
            #expect(programs.find("tool") == folders[3].appending("tool"))
            #expect(programs.path(of: .curl) == nil)
        }
    }

    @Test func everyPeerSaysWhereItComesFrom() {
        for peer in Peer.allCases {
            #expect(peer.absence == "\(peer.rawValue) not installed: apt install \(peer.package)")
        }
    }

    // MARK: - Media

    /// A worker that counts its calls and makes as many empty files as it is asked for.
    private static let worker = """
        #!/bin/sh
        echo call >> "${0%/*}/../calls"
        n=0; while [ $n -lt "$8" ]; do : > "$2/made-$((n + 10)).$4"; n=$((n + 1)); done

        """

    @Test(arguments: [2, 12, 13, 30])
    func asManyMediaAsAreAskedFor(count: Int) async throws {
        try await Bench.with(ours: ["gallery-sync-media": Self.worker]) { bench in
            for _ in 0..<2 {
                let files = try await MediaFiles("jpeg", size: "40x30", count: count, on: bench.bench)
                #expect(files.paths.count == count && Set(files.paths).count == count)
            }
            // Made once; the second time they are there.
            #expect(try OpenFile(reading: bench.folder.appending("calls")).readAll().count == 5)
        }
    }

    @Test func mediaThatWereNotFinishedAreMadeAnew() async throws {
        let failing = "#!/bin/sh\n: > \"$2/half.jpeg\"\nexit 1\n"
        try await Bench.with(ours: ["gallery-sync-media": failing]) { bench in
            await #expect(throws: UnsuccessfulRun.self) {
                try await MediaFiles("jpeg", size: "40x30", count: 2, on: bench.bench)
            }
            _ = try Directory(bench.folder.appending("own")).remove(file: "gallery-sync-media")
            try await Executable.write(Self.worker, at: bench.folder.appending("own/gallery-sync-media"))
            let files = try await MediaFiles("jpeg", size: "40x30", count: 2, on: bench.bench)
            #expect(files.paths.map { $0.display.hasSuffix("half.jpeg") } == [false, false])
        }
    }

    @Test func otherMediaHaveAnotherFolder() async throws {
        try await Bench.with(ours: ["gallery-sync-media": Self.worker]) { bench in
            let one = try await MediaFiles("mp4", size: "40x30", count: 2, seconds: 5, on: bench.bench)
            let others = [
                try await MediaFiles("mp4", size: "40x30", count: 2, seconds: 6, on: bench.bench),
                try await MediaFiles("mp4", size: "40x30", count: 2, seconds: 5, framesPerSecond: 10, on: bench.bench),
                try await MediaFiles("mp4", size: "80x30", count: 2, seconds: 5, on: bench.bench),
                try await MediaFiles("mp4", size: "40x30", count: 3, seconds: 5, on: bench.bench),
            ]
            #expect(Set(([one] + others).map(\.folder)).count == 5)
        }
    }

    // MARK: - Watching a run

    @Test func aWatchedRunHasItsMemory() async throws {
        let watched = try await MemoryWatch.run(Execution("/bin/sleep", ["0.1"]))
        #expect(watched.peakBytes > 1 << 16 && watched.seconds > 0 && watched.processorSeconds >= 0)
    }

    @Test func aWatchedRunMayFailWhereThatIsAccepted() async throws {
        let failing = Execution("/bin/sh", ["-c", "exit 4"])
        _ = try await MemoryWatch.run(failing, mayFail: true)
        await #expect(throws: UnsuccessfulRun.self) { try await MemoryWatch.run(failing) }
        await #expect(throws: UnsuccessfulRun.self) { try await failing.time() }
    }

    /// Cancelled in the midst of its run, it leaves no process behind.
    @Test func aWatchedRunThatIsGivenUpEnds() async throws {
        try await FileTree().withDirectory { folder in
            let file = folder.appending("pid")
            let run = Execution("/bin/sh", ["-c", "echo $$ > \(file); exec sleep 60"])
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await MemoryWatch.run(run) }
                while (try? OpenFile(reading: file).readAll().isEmpty) ?? true { await Task.yield() }
                group.cancelAll()
                await #expect(throws: CancellationError.self) { try await group.next() }
            }
            let text = String(decoding: try OpenFile(reading: file).readAll(), as: UTF8.self)
            let process = try #require(Int32(text.filter(\.isNumber)))
            #expect(ProcessGauge(process).peakBytes == nil)
        }
    }

    @Test func theUsersSettingsAreKeptFromWhatIsMeasured() async throws {
        try await FileTree().withDirectory { folder in
            let file = folder.appending("names")
            let shown = Execution(
                "/bin/sh", ["-c", "env > \(file)"], variables: ["GALLERY_SYNC_KEY": "of the bench"])
            try await shown.succeed()
            let lines = String(decoding: try OpenFile(reading: file).readAll(), as: UTF8.self).split(separator: "\n")
            #expect(lines.filter { $0.hasPrefix("GALLERY_SYNC_") } == ["GALLERY_SYNC_KEY=of the bench"])
            #expect(lines.contains { $0.hasPrefix("PATH=") })
        }
    }
}
