import TestSupport
import Testing

@testable import Platform

/// Jobs on a computer that gives this process no more threads.
@Suite struct ThreadPoolTests {
    private static let refused = SystemError(call: "pthread_create", code: 11)

    /// Nothing waits for a thread that will never be: the caller that adds a job runs it.
    @Test(arguments: [1, 3])
    func withoutAnyThreadWhoAddsAJobRunsIt(limit: Int) {
        let done = Shared<[Int]>([])
        let pool = ThreadPool("test", limit: limit) { _, _ throws(SystemError) in throw Self.refused }
        for number in 0..<5 { pool.add { done.change { $0.append(number) } } }
        #expect(done.value == [0, 1, 2, 3, 4])
    }

    /// While one caller asks for a thread, others rely on it: they come before it learns that there is none.
    @Test(arguments: 1...4, [1, 2])
    func whatReliedOnAThreadThatDidNotComeIsRun(others: Int, limit: Int) {
        let done = Shared<[Int]>([])
        let pool = Shared<ThreadPool?>(nil)
        let depth = Shared(0)
        let made = ThreadPool("test", limit: limit) { _, _ throws(SystemError) in
            // The first attempt to start a thread is still under way when the other jobs are added.
            if depth.change({
                $0 += 1; return $0
            }) == 1, let pool = pool.value {
                for number in 1...others { pool.add { done.change { $0.append(number) } } }
            }
            throw Self.refused
        }
        pool.change { $0 = made }
        made.add { done.change { $0.append(0) } }
        #expect(done.value.sorted() == Array(0...others))
        pool.change { $0 = nil }
    }

    /// A thread that is there takes what the refused ones would have.
    @Test func aRunningThreadTakesTheRest() async {
        let attempts = Shared(0)
        let pool = ThreadPool("test", limit: 8) { name, body throws(SystemError) in
            guard
                attempts.change({
                    $0 += 1; return $0
                }) == 1
            else { throw Self.refused }
            try SystemThread.startDetached(name, body)
        }
        let ends = await withTaskGroup(of: Int.self) { group in
            for number in 0..<50 {
                group.addTask { await withCheckedContinuation { end in pool.add { end.resume(returning: number) } } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.sorted() == Array(0..<50))
    }
}
