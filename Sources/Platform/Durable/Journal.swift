import Glibc
import Synchronization

/// A file of lines that grows durably: lines that arrive together share one `fdatasync`.
///
/// One job at a time writes. While the disk synchronizes a batch, the next one is collected. After one failed write or
/// `fdatasync` the file's state is unknown, so this and every later commit fails with the same error.
package final class Journal: Sendable {
    private struct State {
        var gathered: [UInt8] = []
        var batch = Batch()
        var byteCount: Int
        var isClosing = false
        var failure: SystemError?
    }

    private let state: Mutex<State>
    private let file: any DiskFile
    private let writing = Threads.current.serialQueue("journal")

    /// Appends to `file`, which has `byteCount` bytes already and which only this journal may write.
    package init(_ file: any DiskFile, byteCount: Int = 0) {
        self.file = file
        state = Mutex(State(byteCount: byteCount))
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
        if isFirst { writing.add { self.write() } }
        return commit
    }

    /// Returns when all lines are durable; later lines are refused with `EBADF`.
    package func close() async throws(SystemError) {
        let last = state.withLock { state in
            state.isClosing = true
            return Commit(batch: state.batch)
        }
        writing.add { self.write() }
        try await last.wait()
    }

    /// Writes the lines gathered so far; keeps the journal alive until then, even if no caller holds it any more.
    private func write() {
        let (lines, batch, earlier) = state.withLock { state in
            // The last, empty batch stays in place, so that closing twice is harmless.
            let isLast = state.gathered.isEmpty
            let batch = isLast ? state.batch : exchange(&state.batch, with: Batch())
            return (exchange(&state.gathered, with: []), batch, state.failure)
        }
        var failure = earlier
        if failure == nil, !lines.isEmpty {
            do throws(SystemError) {
                try file.write(lines)
                try file.synchronize()
            } catch {
                failure = error
                state.withLock { [failure] in $0.failure = failure }
            }
        }
        batch.finish(failure)
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
