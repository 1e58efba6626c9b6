import Glibc
import Synchronization

/// A process started by this one, in its own process group and with default signal handling.
///
/// A thread of its own reaps it as soon as it ends, even where no task awaits its exit. It outlives this
/// process, so give it a socket and let it end when that is closed.
package final class ChildProcess: Sendable {
    /// Its process id, and the id of its process group; may be reused once it has ended.
    package let id: Int32
    private let life: Life

    private init(id: Int32, life: Life) {
        self.id = id
        self.life = life
    }

    /// Starts `executable`, with its descriptors, environment and priority.
    ///
    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - descriptors: The child's open descriptors: its number → one of ours. Standard input is empty, and
    ///     standard output and error are ours, unless they are named; nothing else is open.
    ///   - nice: Its priority, 0 to 19.
    package static func spawn(
        _ executable: FilePath, arguments: [String] = [], environment: [String: String] = Environment.handedOn,
        descriptors: [Int32: Int32] = [:], nice: Int32 = 0
    ) throws(SystemError) -> ChildProcess {
        let id = try Spawn(executable, arguments, environment, descriptors).run()
        if nice > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(id), nice) }
        let life = Life(id: id)
        do {
            try SystemThread.start("reaper") { life.awaitEnd() }
        } catch {
            life.kill(SIGKILL)
            life.awaitEnd()
            throw error
        }
        return ChildProcess(id: id, life: life)
    }

    /// Waits for its end; may be called repeatedly and from several tasks.
    package var exit: ExitStatus {
        get async { await life.end() }
    }

    /// Sends `signal` to its process group; does nothing once it has ended.
    package func kill(_ signal: Signal = .kill) {
        life.kill(signal.rawValue)
    }

    /// Bytes of memory that it uses, or `nil` once it has ended.
    package var residentBytes: Int? { life.hasEnded ? nil : Host.residentBytes(of: id) }
}

/// The state of a child process, and the tasks that wait for its end.
private final class Life: Sendable {
    private struct State {
        var status: ChildProcess.ExitStatus?
        var waiters: [CheckedContinuation<ChildProcess.ExitStatus, Never>] = []
    }

    private let id: Int32
    private let state = Mutex(State())

    init(id: Int32) {
        self.id = id
    }

    var hasEnded: Bool { state.withLock { $0.status != nil } }

    func end() async -> ChildProcess.ExitStatus {
        await withCheckedContinuation { continuation in
            let status = state.withLock { state in
                if state.status == nil { state.waiters.append(continuation) }
                return state.status
            }
            if let status { continuation.resume(returning: status) }
        }
    }

    /// The child is not reaped while the lock is held, so no other process can have its id.
    func kill(_ signal: Int32) {
        state.withLock { state in
            if state.status == nil { _ = Glibc.kill(-id, signal) }
        }
    }

    /// Blocks until the child ends, then reaps it.
    func awaitEnd() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        let status = ChildProcess.ExitStatus(code: info.si_code, status: info._sifields._sigchld.si_status)
        let waiters = state.withLock { state in
            while waitpid(id, nil, 0) < 0, errno == EINTR {}
            state.status = status
            return exchange(&state.waiters, with: [])
        }
        for waiter in waiters { waiter.resume(returning: status) }
    }
}
