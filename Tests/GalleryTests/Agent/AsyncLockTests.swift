import TestSupport
import Testing

@testable import Gallery

@Suite struct AsyncLockTests {
    struct Refused: Error {}

    struct Tally: Equatable {
        var inside = 0
        var most = 0
        var all = 0
    }

    /// Each body suspends in its midst, and every third one fails.
    @Test func oneBodyAtATimeIsCarriedOut() async throws {
        let lock = AsyncLock()
        let tally = Shared(Tally())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    try? await lock.holding {
                        tally.change {
                            $0.inside += 1
                            $0.most = max($0.most, $0.inside)
                            $0.all += 1
                        }
                        await Task.yield()
                        tally.change { $0.inside -= 1 }
                        if number % 3 == 0 { throw Refused() }
                    }
                }
            }
        }
        #expect(tally.value == Tally(inside: 0, most: 1, all: 60))
    }
}
