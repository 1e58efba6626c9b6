import Glibc

/// A file of lines that grows durably: lines that arrive together share one `fdatasync`.
///
/// One thread writes. While the disk synchronizes a batch, the next one is collected. After one failed write or
/// `fdatasync` the file's state is unknown, so this and every later commit fails with the same error.
package final class Journal: Sendable {
    private struct State {
        var gathered: [UInt8] = []
        var batch = Batch()
        var byteCount: Int
        var isClosing = false
    }

    private let state: Monitor<State>

    /// Appends to `file`, which has `byteCount` bytes already and which only this journal may write.
    package init(_ file: any DiskFile, byteCount: Int = 0) throws(SystemError) {
        let state = Monitor(State(byteCount: byteCount))
        self.state = state
        try SystemThread.start("journal") { Self.write(state, to: file) }
    }

    deinit {
        state.withLock { $0.isClosing = true }
        state.signal()
    }

    /// Bytes the file has once everything appended so far is written.
    package var byteCount: Int { state.withLock { $0.byteCount } }

    /// Appends `line` and a newline; the line is durable once the commit's `wait` returned.
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
                // The last batch is kept, so that closing twice is harmless.
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

/// A line that has been appended but may not be durable yet.
package struct Commit: Sendable {
    fileprivate let batch: Batch

    /// Returns once the line is durable; may be called repeatedly and from several tasks.
    package func wait() async throws(SystemError) {
        if let failure = await batch.outcome() { throw failure }
    }

    fileprivate static let refused: Commit = {
        let batch = Batch()
        batch.finish(SystemError(call: "write", code: EBADF))
        return Commit(batch: batch)
    }()
}
