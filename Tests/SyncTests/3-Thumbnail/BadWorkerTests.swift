import Fixtures
import MediaModel
import Platform
import Sync
import TestSupport
import Testing

/// Whatever a worker does, the agent gets an outcome.
@Suite struct BadWorkerTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let script: String
        let outcome: MediaOutcome
        var time = Duration.seconds(120)
        var memory = 1 << 30

        init(
            _ fact: String, _ script: String, _ outcome: MediaOutcome, time: Duration? = nil, memory: Int? = nil
        ) {
            testDescription = fact
            self.script = script
            self.outcome = outcome
            self.time = time ?? self.time
            self.memory = memory ?? self.memory
        }
    }

    @Test(arguments: [
        Row("it ends at once", "exit 7", .failed("the media worker ended with 7")),
        Row("it ends without an answer", "exit 0", .failed("the media worker ended with 0")),
        Row("it crashes", "kill -SEGV $$", .crashed(signal: 11)),
        Row("it makes a forbidden call", "kill -SYS $$", .crashed(signal: 31)),
        Row("it uses up its processor time", "kill -XCPU $$", .timedOut),
        Row(
            "it closes the socket and stays", "exec 3<&-; exec sleep 600",
            .failed("the media worker closed its socket and went on")),
        Row(
            "it ends after it has closed the socket", "exec 3<&-; head -c 1000000 /dev/zero | cksum; exit 7",
            .failed("the media worker ended with 7")),
        Row("another program kills it", "kill -KILL $$", .killed),
        Row(
            "it cannot work here", "exit 71", .unavailable("the media worker cannot work here (it ended with 71)")),
        Row(
            "its libraries cannot be loaded", "exit 127",
            .unavailable("the media worker cannot work here (it ended with 127)")),
        Row("its answer is cut off", #"printf '\0\0\0\011ab' >&3"#, .failed("the media worker ended with 0")),
        Row(
            "its answer makes no sense", #"printf '\0\0\0\005\0\0\0\1x' >&3; exec sleep 600"#,
            .failed("the worker's answer makes no sense: its head does not decode")),
        Row(
            "its answer is for another job",
            #"printf '\0\0\0\033\0\0\0\027{"id":9,"failure":"no"}' >&3; exec sleep 600"#,
            .failed("the worker's answer is for another job")),
        Row(
            "what it and its libraries write goes nowhere",
            "echo out; echo err >&2; for n in 1 2; do [ $(readlink /proc/$$/fd/$n) = /dev/null ] || exit 8; done; exit 7",
            .failed("the media worker ended with 7")),
        Row(
            "its answer is longer than any", #"printf '\377\377\377\377' >&3; exec sleep 600"#,
            .failed("the worker's answer cannot be read: Message too long")),
        Row("its answer never ends", "exec cat /dev/zero >&3", .failed("the worker's answer makes no sense")),
        Row("it never answers", "exec sleep 600", .timedOut, time: .milliseconds(50)),
        Row(
            "it answers a byte and no more", #"printf '\0' >&3; exec sleep 600"#, .timedOut, time: .milliseconds(200)),
        // Its own limit should have stopped it; the agent enforces the limit all the same.
        Row(
            "it grows", "x=$(head -c 60000000 /dev/zero | tr '\\0' x); while :; do sleep 600; done", .outOfMemory,
            memory: 32 << 20),
        // As libjxl's code ends where it gets no memory for a row of pixels.
        Row("it traps for lack of memory", "exit \(MemoryTrap.exitCode)", .outOfMemory),
    ])
    func aBadWorkerIsAnOutcome(_ row: Row) async throws {
        try await MediaFixture.with { fixture in
            let pool = try await fixture.pool(script: row.script, memory: row.memory, time: row.time)
            let outcome = await pool.examine(try fixture.endless(), MediaFixture.job(.jpeg))
            if case .failed(let words) = row.outcome, case .failed(let found) = outcome {
                #expect(found.hasPrefix(words), "\(found)")
            } else {
                #expect(outcome == row.outcome)
            }
            #expect(await pool.idleProcesses == [])
        }
    }

    @Test func aFreshWorkerTriesOnceMoreWhereOneWasKilled() async throws {
        try await MediaFixture.with { fixture in
            let runs = fixture.folder.appending("runs").display
            let script = "echo x >> \(runs); [ $(wc -l < \(runs)) = 1 ] && kill -KILL $$; exit 7"
            let pool = try await fixture.pool(script: script)
            let outcome = await pool.examine(try fixture.endless(), MediaFixture.job(.jpeg))
            #expect(outcome == .failed("the media worker ended with 7"))
        }
    }

    @Test func itsWordsAreFitToBeShown() async throws {
        let script = #"printf '\0\0\0\045\0\0\0\041{"id":1,"failure":"no\\u001b[31m"}' >&3; exec sleep 600"#
        try await MediaFixture.with { fixture in
            let pool = try await fixture.pool(script: script)
            #expect(await pool.examine(try fixture.endless(), MediaFixture.job(.jpeg)) == .failed("no·[31m"))
            await pool.close()
        }
    }

    @Test func aWorkerIsEndedWithTheTaskThatWaitsForIt() async throws {
        try await MediaFixture.with { fixture in
            let started = fixture.folder.appending("started")
            let pool = try await fixture.pool(script: "echo $$ > \(started.display); exec sleep 600")
            let file = try fixture.endless()
            let outcome = try await withThrowingTaskGroup(of: MediaOutcome?.self) { group in
                defer { group.cancelAll() }
                group.addTask { await pool.examine(file, MediaFixture.job(.jpeg)) }
                try await eventually("the worker runs") { (try? FileFacts(of: started).size) ?? 0 > 0 }
                group.cancelAll()
                return try await group.next()
            }
            #expect(outcome == .failed("cancelled"))
        }
    }

    @Test func aProgramThatIsNotThereIsAnOutcome() async throws {
        try await MediaFixture.with { fixture in
            let pool = MediaWorkerPool(
                program: fixture.folder.appending("missing"), limits: MediaWorkerPool.Limits(count: 1))
            let outcome = await pool.examine(try fixture.endless(), MediaFixture.job(.jpeg))
            guard case .unavailable(let words) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(words.contains("cannot be started: "))
            #expect(words.contains("No such file or directory"))
        }
    }

    @Test(arguments: [
        (MediaOutcome.failed("moov atom not found"), "moov atom not found"),
        (.crashed(signal: 11), "the decoder crashed (signal 11)"), (.timedOut, "decoding took too long"),
        (.outOfMemory, "decoding took too much memory"),
        (.examined(MediaFacts(kind: .photo, type: .png), []), ""),
    ])
    func anOutcomeSaysWhyThereIsNoPicture(outcome: MediaOutcome, reason: String) {
        #expect(outcome.reason == reason)
    }
}
