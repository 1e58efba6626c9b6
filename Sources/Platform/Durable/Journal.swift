import Glibc

/// A file of lines that grows durably: lines that come together share one `fdatasync`.
///
/// One thread writes. While the disk synchronizes a batch, the next one gathers. After one failed write
/// or `fdatasync` nothing is known about the file, so this and every later commit fails with that error.
package final class Journal: Sendable {
    private struct State {
        var gathered: [UInt8] = []
        var batch = Batch()
        var byteCount: Int
        var isClosing = false
    }

    private let state: Monitor<State>

    /// Appends to `file`, which holds `byteCount` bytes already and which only this journal writes.
    package init(_ file: any DiskFile, byteCount: Int = 0) throws(SystemError) {
        let state = Monitor(State(byteCount: byteCount))
        self.state = state
        try SystemThread.start("journal") { Self.write(state, to: file) }
    }

    deinit {
        state.withLock { $0.isClosing = true }
        state.signal()
    }

    /// Bytes in the file once everything appended so far is written.
    package var byteCount: Int { state.withLock { $0.byteCount } }

    /// Appends `line` and a newline after all earlier ones; it is durable once the commit's `wait` returned.
    package func append(_ line: [UInt8]) -> Commit {
        let (commit, isFirst) = state.withLock { state in
            guard !state.isClosing else { return (Commit.refused, false) }
            let isFirst = state.gathered.isEmpty
            state.gathered += line
            state.gathered.append(UInt8(ascii: "\n"))
            state.byteCount += line.count + 1
            return (Commit(batch: state.batch), isFirst)
        }
        if isFirst { state.signal() }
        return commit
    }

    /// Returns when all lines are durable; later lines are refused with `EBADF`.
    package func close() async throws(SystemError) {
        let last = state.withLock { state in
            state.isClosing = true
            return Commit(batch: state.batch)
        }
        state.signal()
        try await last.wait()
    }

    private static func write(_ state: Monitor<State>, to file: any DiskFile) {
        var failure: SystemError?
        var spare: [UInt8] = []
        var isOpen = true
        while isOpen {
            let batch = state.wait(while: { $0.gathered.isEmpty && !$0.isClosing }) { state in
                isOpen = !state.gathered.isEmpty
                swap(&state.gathered, &spare)
                // The last batch stays, so that closing twice is harmless.
                return isOpen ? exchange(&state.batch, with: Batch()) : state.batch
            }
            if failure == nil, isOpen {
                do throws(SystemError) {
                    try file.write(spare)
                    try file.synchronize()
                } catch {
                    failure = error
                }
            }
            spare.removeAll(keepingCapacity: spare.count < 1 << 20)
            batch.finish(failure)
        }
    }
}

/// A line on its way to the disk.
package struct Commit: Sendable {
    fileprivate let batch: Batch

    /// Returns once the line is durable; safe to call again and from many tasks.
    package func wait() async throws(SystemError) {
        if let failure = await batch.outcome() { throw failure }
    }

    fileprivate static let refused: Commit = {
        let batch = Batch()
        batch.finish(SystemError(call: "write", code: EBADF))
        return Commit(batch: batch)
    }()
}
