import Cleansing
import MediaModel
import Platform
import Synchronization
import Uploading

/// One media worker: a confined child that answers jobs over a socket and ends when that closes.
final class MediaWorkerProcess: Sendable {
    private let child: ChildProcess
    private let socket: MessageSocket
    private let limits: MediaWorkerPool.Limits
    private let state = Mutex(State())

    private struct State {
        var isUsable = true
        var jobs = 0
        /// Why the agent ended the worker, if it did.
        var end: MediaOutcome?
    }

    /// Jobs after which a worker is replaced, long before its processor time is used up.
    private static let jobLimit = 1000

    /// How long a worker may take to end once it has closed its socket.
    private static let endPatience = Duration.seconds(2)

    /// How often a running job's memory is looked at.
    private static let watchInterval = Duration.milliseconds(100)

    /// Starts `program`; its environment holds only what decoding needs.
    init(program: FilePath, limits: MediaWorkerPool.Limits) throws(SystemError) {
        let (kept, handed) = try MessageSocket.pair()
        // What the decoding libraries print is discarded; what matters comes over the socket.
        let sink = try OpenFile(appending: "/dev/null")
        var environment = ["SWIFT_BACKTRACE": "enable=no"]
        environment["TZ"] = Environment["TZ"]
        child = try ChildProcess.spawn(
            program,
            arguments: [
                "serve", "--memory", String(limits.memory), "--processor-time", String(limits.processorTime),
            ], environment: environment,
            descriptors: [1: sink.descriptor, 2: sink.descriptor, 3: handed.descriptor], nice: limits.nice)
        socket = kept
        self.limits = limits
    }

    deinit { socket.disconnect() }

    var id: Int32 { child.id }

    /// Whether it can take another job; a worker that was ended while idle cannot.
    var isUsable: Bool { state.withLock { $0.isUsable && $0.jobs < Self.jobLimit } && child.residentBytes != nil }

    /// Has the worker examine `file`; a worker that ends, is too slow or grows too large is an outcome.
    func examine(_ file: OpenFile, _ job: MediaJob, on threads: Blocking) async -> MediaOutcome {
        state.withLock { $0.jobs += 1 }
        return await withTaskCancellationHandler {
            await withTaskGroup(of: MediaOutcome?.self) { group in
                group.addTask { await self.converse(file, job, on: threads) }
                group.addTask {
                    await self.watchMemory()
                    return nil
                }
                defer { group.cancelAll() }
                while let outcome = await group.next() {
                    if let outcome { return outcome }
                }
                return .failed("no answer")
            }
        } onCancel: {
            end(as: .failed("cancelled"))
        }
    }

    private func converse(_ file: OpenFile, _ job: MediaJob, on threads: Blocking) async -> MediaOutcome {
        let deadline = ContinuousClock.now + limits.time
        let socket = socket
        do {
            let answer = try await threads.run {
                try socket.send(job.encoded(), passing: file, by: deadline)
                return try socket.receive(by: deadline).map { try MediaAnswer(message: $0.bytes) }
            }
            guard let answer else { return await outcomeOfEnd() }
            guard answer.id == job.id else {
                end(as: .failed("the worker's answer is for another job"))
                return await outcomeOfEnd()
            }
            switch answer.result {
            case .examined(let facts, let thumbnails): return .examined(facts.cleansed, thumbnails)
            case .failed(let words): return .failed(Cleanser().text(words, limit: 300))
            case .outOfMemory: return .outOfMemory
            }
        } catch let error as SystemError {
            if error.isTimeout {
                end(as: .timedOut)
            } else if !error.isReaderGone, !error.isPassing {
                end(as: .failed("the worker's answer cannot be read: \(error.reason)"))
            }
            return await outcomeOfEnd()
        } catch let error as MalformedMessage {
            end(as: .failed("the worker's answer makes no sense: \(error.reason)"))
            return await outcomeOfEnd()
        } catch {
            return await outcomeOfEnd()
        }
    }

    /// Ends the worker when its memory grows beyond what its own limit should have prevented.
    private func watchMemory() async {
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: Self.watchInterval)
            } catch {
                return
            }
            if let bytes = child.residentBytes, bytes > limits.memory { end(as: .outOfMemory) }
        }
    }

    /// Kills the worker; `reason` counts unless there is an earlier one.
    private func end(as reason: MediaOutcome) {
        state.withLock { state in
            state.isUsable = false
            state.end = state.end ?? reason
        }
        child.kill()
    }

    /// Waits for the worker's end, and says what that means for the file.
    private func outcomeOfEnd() async -> MediaOutcome {
        state.withLock { $0.isUsable = false }
        let exit = await exitInTime()
        if let reason = state.withLock({ $0.end }) { return reason }
        return switch exit {
        case .signalled(.outOfTime): .timedOut
        case .signalled(.kill): .killed
        case .signalled(let signal): .crashed(signal: signal.rawValue)
        case .exited(MemoryTrap.exitCode): .outOfMemory
        case .exited(let code) where Self.startFailures.contains(code):
            .unavailable("the media worker cannot work here (it ended with \(code))")
        case .exited(let code): .failed("the media worker ended with \(code)")
        }
    }

    /// Exit codes of the worker itself, and of the loader of its libraries, from before they look at a file.
    private static let startFailures: Set<Int32> = [MediaJob.serveFailure, 126, 127]

    /// How the worker ended; it is killed only if it does not end by itself, so that its own reason is kept.
    private func exitInTime() async -> ChildProcess.ExitStatus {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await Task.sleep(for: Self.endPatience)
                    self.end(as: .failed("the media worker closed its socket and went on"))
                } catch {
                    // The run ends, or the worker has ended.
                    self.child.kill()
                }
            }
            defer { group.cancelAll() }
            return await child.exit
        }
    }
}
