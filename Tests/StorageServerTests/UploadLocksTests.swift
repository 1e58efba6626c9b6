import TestSupport
import Testing

@testable import StorageServer

@Suite struct UploadLocksTests {
    @Test func aFreeUploadIsTakenAtOnce() async throws {
        let locks = UploadLocks()
        let turn = try #require(await locks.take("a", patience: .zero))
        #expect(await locks.take("b", patience: .zero) != nil)
        await locks.leave(turn)
        #expect(await locks.take("a", patience: .zero) != nil)
    }

    @Test func whoIsWantedHearsOfItAndTheNextComesIn() async throws {
        let locks = UploadLocks()
        let first = try #require(await locks.take("a"))
        async let second = locks.take("a", patience: .seconds(60))
        try await withLimit("another request wants the upload") { for await _ in first.untilWanted {} }
        await locks.leave(first)
        #expect(await second != nil)
    }

    @Test func whoWaitsTooLongGetsNothingAndLeavesNoTrace() async throws {
        let locks = UploadLocks()
        let first = try #require(await locks.take("a"))
        #expect(await locks.take("a", patience: .zero) == nil)
        await locks.leave(first)
        #expect(await locks.take("a", patience: .zero) != nil)
    }

    @Test func ofManyOneAtATimeIsInside() async throws {
        let locks = UploadLocks()
        let inside = Inside()
        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    guard let turn = await locks.take("a", patience: .seconds(600)) else { return }
                    await inside.enter()
                    await Task.yield()
                    await inside.leave()
                    await locks.leave(turn)
                }
            }
        }
        #expect(await inside.most == 1)
        #expect(await inside.all == 50)
    }

    private actor Inside {
        private var now = 0
        private(set) var most = 0
        private(set) var all = 0

        func enter() {
            now += 1
            all += 1
            most = max(most, now)
        }

        func leave() { now -= 1 }
    }
}
