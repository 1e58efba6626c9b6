import Synchronization
import Testing

@testable import Reconciling

/// Work at several elements at once, whose results come in the order of the elements.
@Suite struct AtOnceTests {
    private struct Failure: Error, Equatable { let element: Int }

    @Test(arguments: [-1, 0, 1, 2, 4, 9, 100])
    func resultsComeInOrderAndNoMoreRunThanAllowed(_ limit: Int) async throws {
        let running = Mutex(0)
        let most = Mutex(0)
        var taken: [Int] = []
        try await Array(0..<9).forEach(atOnce: limit) { element in
            let now = running.withLock { count in
                count += 1
                return count
            }
            most.withLock { $0 = max($0, now) }
            // The later ones end first.
            for _ in element..<9 { await Task.yield() }
            running.withLock { $0 -= 1 }
            return element * 2
        } then: {
            taken.append($0)
        }
        #expect(taken == (0..<9).map { $0 * 2 })
        #expect(most.withLock(\.self) <= max(1, limit))
    }

    @Test(arguments: 1...5)
    func theFirstErrorInOrderIsThrownAfterWhatComesBefore(_ limit: Int) async throws {
        var taken: [Int] = []
        await #expect(throws: Failure(element: 3)) {
            try await Array(0..<9).forEach(atOnce: limit) { element in
                if element == 4 { throw Failure(element: 4) }
                for _ in element..<9 { await Task.yield() }
                if element == 3 { throw Failure(element: 3) }
                return element
            } then: {
                taken.append($0)
            }
        }
        #expect(taken == [0, 1, 2])
    }

    @Test func whatIsNotTakenEndsIt() async throws {
        await #expect(throws: Failure(element: 2)) {
            try await Array(0..<9).forEach(atOnce: 4) {
                $0
            } then: {
                if $0 == 2 { throw Failure(element: 2) }
            }
        }
        try await [Int]().forEach(atOnce: 4) {
            $0
        } then: { _ in
            Issue.record("there is nothing")
        }
    }
}
