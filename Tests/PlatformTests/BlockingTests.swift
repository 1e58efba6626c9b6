import TestSupport
import Testing

@testable import Platform

@Suite struct BlockingTests {
    @Test func workReturnsItsValueOrItsError() async throws {
        #expect(await Blocking.run { 7 } == 7)
        await #expect(throws: SystemError.self) {
            try await Blocking.run { () throws(SystemError) in throw SystemError(call: "x", code: 5) }
        }
    }

    @Test func noMoreThanTheLimitRunAtOnce() async {
        let pool = Blocking("test", limit: 3)
        let running = Shared((now: 0, most: 0))
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    await pool.run {
                        running.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        for _ in 0..<1000 { _ = Randomness.bytes(1) }
                        running.change { $0.now -= 1 }
                    }
                }
            }
        }
        #expect(running.value.now == 0)
        #expect(1...3 ~= running.value.most)
    }

    @Test func asManyAsTheLimitRunAtOnce() async throws {
        // Each of four holds its thread until all four have begun.
        let pool = Blocking("test", limit: 4)
        let begun = Monitor(0)
        let together = await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    await pool.run {
                        begun.withLock { $0 += 1 }
                        begun.broadcast()
                        return begun.wait(seconds: 100, while: { $0 < 4 }) { $0 }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(together == [4, 4, 4, 4])
    }

    @Test func oneThreadKeepsTheOrder() async {
        let pool = Blocking("test", limit: 1)
        let seen = Shared<[Int]>([])
        for number in 0..<100 { await pool.run { seen.change { $0.append(number) } } }
        #expect(seen.value == Array(0..<100))
    }
}
