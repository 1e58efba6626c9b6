import CLinux
import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct SignalsTests {
    /// A stream whose thread blocks the signal, like all threads of a program that called `block` first.
    static func stream(
        _ hear: @escaping @Sendable (Signal) -> Void = { _ in }
    ) async throws -> AsyncStream<Signal> {
        try await withCheckedThrowingContinuation { continuation in
            do throws(SystemError) {
                try SystemThread.start("test") {
                    Signals.block([.user1])
                    continuation.resume(
                        with: Result { () throws(SystemError) in try Signals.stream([.user1], hear: hear) }.mapError {
                            $0
                        })
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Sends the signal to the thread of the stream only, since it would end the test process.
    static func send(_ signal: Signal) async throws {
        // A thread sets its name after its start.
        let thread = try await eventually("a thread waits for signals") { try waiting() }
        #expect(tgkill(getpid(), thread, signal.rawValue) == 0)
    }

    private static func waiting() throws -> Int32? {
        for task in try Directory("/proc/self/task").names() {
            let path = FilePath("/proc/self/task").appending(task).appending("comm")
            guard let name = try? OpenFile(reading: path).readAll(), name == Array("signals\n".utf8) else { continue }
            return Int32(task.display)
        }
        return nil
    }

    @Test func signalsArriveAsValuesInTheirOrder() async throws {
        let heard = Shared(0)
        let signals = try await Self.stream { _ in heard.change { $0 += 1 } }
        for count in 1...3 {
            try await Self.send(.user1)
            // Where no thread can be made, no task takes it from the stream.
            try await eventually("the signal is heard") { heard.value == count }
            #expect(try await signals.first("the signal") == .user1)
        }
    }

    @Test func brokenPipesAreErrorsAndNoEnd() throws {
        Signals.block([])
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        let error = #expect(throws: SystemError.self) { try OpenFile(descriptor: ends[1]).append([1]) }
        #expect(error?.code == EPIPE)
    }
}
