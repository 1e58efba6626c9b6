import Platform
import TestSupport
import Testing

/// The simulator as a program, since it replaces clocks and executors of its whole process.
///
/// One at a time: two that play side by side have folders of different names, and a name has a say in a history.
@Suite(.serialized) struct ReplayTests {
    /// What the program prints, and how it ends.
    private func run(_ arguments: [String]) async throws -> (lines: [Substring], exit: ChildProcess.ExitStatus) {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let output = try OpenFile(creating: directory.path.appending("output"))
        let program = try Host.executable().parent.appending("gallery-sync-simulate")
        let child = try ChildProcess.spawn(program, arguments: arguments, descriptors: [1: output.descriptor])
        let exit = try await child.end("the simulator ends")
        let text = String(decoding: try output.readAll(), as: UTF8.self)
        return (text.split(separator: "\n"), exit)
    }

    @Test func aSeedIsReplayedLineForLine() async throws {
        let first = try await run(["--seed", "2", "--trace", "--brief", "--whole"])
        let again = try await run(["--seed", "2", "--trace", "--brief", "--whole"])
        let other = try await run(["--seed", "4", "--trace", "--brief", "--whole"])
        #expect(first.lines.count > 20)
        // The last line has the real time.
        #expect(first.lines.dropLast() == again.lines.dropLast())
        #expect(first.lines.dropLast() != other.lines.dropLast())
    }

    /// The second of two histories is the one that its seed has alone: nothing of the first is left in the process.
    @Test func aHistoryIsTheSameBehindAnother() async throws {
        func lines(_ arguments: [String]) async throws -> [Substring] {
            let lines = try await run(arguments + ["--place", "98", "--trace", "--whole"]).lines
            let history = try #require(lines.split { $0.hasSuffix(" life 0 begins") }.last)
            // The sums, and the words about a problem, have the real time.
            return history.dropLast().filter { $0.first?.isNumber == true }
        }
        let second = try await lines(["--seed", "625398041999", "--histories", "2"])
        #expect(second.count > 20)
        #expect(try await second == lines(["--seed", "625398042000"]))
    }

    @Test func aJobThatNeverEndsEndsTheProcessWithTheWordsToPlayItOnceMore() async throws {
        let stuck = try await run(["--seed", "7", "--place", "97", "--brief", "--spin", "--patience", "1"])
        #expect(stuck.exit == .exited(1))
        #expect(stuck.lines.contains { $0.hasSuffix("a job that spins") })
        #expect(stuck.lines.last == "    once more: gallery-sync-simulate --seed 7 --place 97 --brief --trace")
    }

    @Test func wordsWithoutSenseAreRefused() async throws {
        #expect(try await run(["--seeds"]).exit == .exited(64))
    }
}
