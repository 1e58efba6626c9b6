import Platform
import Testing

@Suite struct SerialThreadTests {
    private actor Counter {
        private let thread = SerialThread(name: "counter")
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
        private(set) var count = 0
        func add() { count += 1 }
    }

    @Test func anActorOnItsOwnThreadLosesNoCall() async {
        let counter = Counter()
        await withTaskGroup { group in
            for _ in 0..<1_000 { group.addTask { await counter.add() } }
        }
        #expect(await counter.count == 1_000)
    }
}
