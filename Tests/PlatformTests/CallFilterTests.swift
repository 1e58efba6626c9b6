import CLinux
import CSeccomp
import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct CallFilterTests {
    struct Row: CustomTestStringConvertible {
        let sentence: String
        let number: Int32
        let arguments: [UInt64]
        let verdict: Verdict

        init(_ sentence: String, _ number: Int32, _ arguments: UInt64..., verdict: Verdict) {
            (self.sentence, self.number, self.arguments, self.verdict) = (sentence, number, arguments, verdict)
        }

        var testDescription: String { sentence }
    }

    static let process: Int32 = 4711
    static let filter = CallFilter(process: process)
    static let machine = Result { try FilterMachine(KernelFilter(filter)) }
    static let architecture = seccomp_arch_native()

    static let rows = [
        Row("memory", SYS_mmap, verdict: .allow),
        Row("locks", SYS_futex, verdict: .allow),
        Row("reading what is open", SYS_pread64, verdict: .allow),
        Row("messages on an inherited socket", SYS_recvmsg, verdict: .allow),
        Row("answers on an inherited socket", SYS_sendmsg, verdict: .allow),
        Row("the end", SYS_exit_group, verdict: .allow),
        Row("a socket", SYS_socket, verdict: .kill),
        Row("a connection", SYS_connect, verdict: .kill),
        Row("another program", SYS_execve, verdict: .kill),
        Row("another program by descriptor", SYS_execveat, verdict: .kill),
        Row("tracing", SYS_ptrace, verdict: .kill),
        Row("a signal to anyone", SYS_kill, 1, 9, verdict: .kill),
        Row("a signal to a thread of another process", SYS_tgkill, 1, 1, 9, verdict: .kill),
        Row("abort", SYS_tgkill, UInt64(process), 4712, 6, verdict: .allow),
        Row("a thread", SYS_clone, UInt64(CLONE_THREAD | CLONE_VM), verdict: .allow),
        Row("a process", SYS_clone, UInt64(SIGCHLD), verdict: .kill),
        Row("a process that shares memory", SYS_clone, UInt64(CLONE_VM | CLONE_VFORK), verdict: .kill),
        Row("a thread the new way", SYS_clone3, verdict: .refuse(ENOSYS)),
        Row("a path to read", SYS_openat, verdict: .refuse(EACCES)),
        Row("a path to write", SYS_openat, 0, 0, UInt64(O_WRONLY | O_CREAT), verdict: .refuse(EACCES)),
        Row("facts of a path", SYS_newfstatat, 0, 0, 0, 0x100, verdict: .refuse(EACCES)),
        Row("facts of what is open", SYS_newfstatat, 3, 0, 0, 0x1000, verdict: .allow),
        Row("a link to a file", SYS_linkat, verdict: .refuse(EACCES)),
        Row("asking for a limit", SYS_prlimit64, 0, 3, 0, 0x7fff_0000_0000, verdict: .allow),
        Row("setting a limit", SYS_prlimit64, 0, 3, 0x7fff_0000_0000, 0, verdict: .refuse(EPERM)),
        Row("setting a limit at a high address", SYS_prlimit64, 0, 3, 1 << 32, 0, verdict: .refuse(EPERM)),
        Row("more time for a job", SYS_setrlimit, 0, verdict: .allow),
        Row("more memory", SYS_setrlimit, 2, verdict: .refuse(EPERM)),
        Row("a priority, which stays as it is", SYS_setpriority, 0, 4711, 19, verdict: .pretend),
        Row("a thread's name", SYS_prctl, 15, verdict: .allow),
        Row("more privileges", SYS_prctl, 8, verdict: .refuse(EPERM)),
        Row("a duplicate", SYS_fcntl, 3, 1030, verdict: .allow),
        Row("signals from a descriptor", SYS_fcntl, 3, 8, verdict: .refuse(EPERM)),
        Row("a device's own language", SYS_ioctl, verdict: .refuse(EPERM)),
        Row("another user", SYS_setuid, verdict: .refuse(EPERM)),
        Row("a call newer than this list", 463, verdict: .refuse(ENOSYS)),
        Row("rings around the filter", SYS_io_uring_setup, verdict: .kill),
    ]

    @Test(arguments: rows)
    func verdicts(_ row: Row) throws {
        #expect(try Self.verdict(on: row.number, row.arguments) == row.verdict.value)
    }

    private static func verdict(on number: Int32, _ arguments: [UInt64]) throws -> UInt32? {
        let call = FilterMachine.Call(number: number, arguments: arguments, architecture: architecture)
        return try machine.get().verdict(on: call)
    }

    @Test(arguments: [
        (SYS_openat, Verdict.interrupt), (SYS_faccessat, .interrupt), (SYS_openat2, .refuse(EACCES)),
        (SYS_unlinkat, .refuse(EACCES)),
    ])
    func onlyOpeningIsAnsweredForKeptFiles(number: Int32, verdict: Verdict) throws {
        let machine = try FilterMachine(KernelFilter(CallFilter(process: Self.process, keepsFiles: true)))
        #expect(machine.verdict(on: .init(number: number, architecture: Self.architecture)) == verdict.value)
    }

    /// Every value that is allowed, and each that differs from one in a single bit of the 64.
    @Test(arguments: filter.rules.filter { $0.rule.isByArgument })
    func argumentsAreComparedBitByBit(number: Int32, rule: CallRule) throws {
        guard case .oneOf(let argument, let mask, let values, let otherwise) = rule else { return }
        for near in values.flatMap({ value in [value] + (0..<64).map { value ^ 1 << $0 } }) {
            var arguments = [UInt64](repeating: .max, count: 6)
            arguments[Int(argument)] = near
            let expected = values.contains(near & mask) ? Verdict.allow : otherwise
            #expect(try Self.verdict(on: number, arguments) == expected.value, "\(near)")
        }
    }

    @Test func programsForAnotherProcessorAreEnded() throws {
        let foreign = FilterMachine.Call(number: SYS_read, architecture: 0x4000_0003)
        #expect(try Self.machine.get().verdict(on: foreign) == Verdict.kill.value)
        #if arch(x86_64)
            for number in [SYS_read | 0x4000_0000, 0x4000_0000, .max, .min, -2, -1] {
                #expect(try Self.verdict(on: number, []) == Verdict.kill.value)
            }
        #endif
    }

    @Test func everyCallEndsInAVerdict() throws {
        for number: Int32 in 0..<1000 {
            let verdict = try Self.verdict(on: number, [])
            #expect(number < 450 ? verdict != nil : verdict == Verdict.refuse(ENOSYS).value)
        }
        #expect(try Self.machine.get().program.count < 4096)
    }

    @Test func noCallHasTwoRules() {
        let numbers = Self.filter.rules.map(\.number)
        #expect(Set(numbers).count == numbers.count)
    }

    /// The filter on one thread of this process: calls that it refuses without killing can be tried.
    @Test func theKernelTakesTheFilter() async throws {
        let outcome = Shared<[String: Int32]>([:])
        let status = try OpenFile(reading: "/proc/self/status")
        await Self.onThread { Self.tryCalls(outcome) }
        #expect(
            outcome.value == [
                "prctl": 0, "seccomp": 0, "open": EACCES, "stat": EACCES, "ioctl": EPERM, "read": 0, "thread": 0,
                "capset": EPERM,
            ])
        #expect(try !String(decoding: status.readAll(), as: UTF8.self).contains("Seccomp:\t2"))
    }

    /// Each time from its start, wherever the last reader stopped.
    @Test func keptFilesAreOpenedByTheirPaths() async throws {
        let texts = Shared<[String]>([])
        let codes = Shared<[Int32]>([])
        let rights = Shared<[Int32]>([])
        let names = Shared<[Set<String>]>([])
        try await FileTree(["kept": "fonts", "other": "secret"]).withDirectory { folder in
            let kept = folder.appending("kept"), other = folder.appending("other")
            try KeptFiles.keep([folder.appending("missing"), kept, folder])
            await Self.onThread {
                let filtered = Result { () throws(SystemError) in
                    try SystemError.check("prctl") { clinux_prctl(PR_SET_NO_NEW_PRIVS, 1) }
                    try KernelFilter(CallFilter(process: getpid(), keepsFiles: true)).load(allThreads: false)
                }
                guard case .success = filtered else { return }
                for (path, mode) in [(kept, R_OK), (kept, F_OK), (kept, R_OK | W_OK), (other, R_OK)] {
                    let result = path.withCString { access($0, mode) }
                    rights.change { $0.append(result == 0 ? 0 : errno) }
                }
                names.change { $0 = (1...2).map { _ in Self.names(in: folder) } }
                for path in [kept, other, folder.appending("missing"), kept] {
                    let file = Result { () throws(SystemError) in try OpenFile(reading: path) }
                    switch file {
                    case .success(let file):
                        var bytes = [UInt8](repeating: 0, count: 3)
                        let count = read(file.descriptor, &bytes, bytes.count)
                        texts.change { $0.append(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)) }
                    case .failure(let error): codes.change { $0.append(error.code) }
                    }
                }
            }
        }
        #expect(texts.value == ["fon", "fon"])
        #expect(codes.value == [EACCES, EACCES])
        #expect(rights.value == [0, 0, EACCES, EACCES])
        #expect(names.value == [["kept", "other"], ["kept", "other"]])
    }

    /// As a library lists a folder by its path.
    private static func names(in folder: FilePath) -> Set<String> {
        guard let list = folder.withCString({ opendir($0) }) else { return [] }
        defer { closedir(list) }
        var names: Set<String> = []
        while let entry = readdir(list) {
            names.insert(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names.subtracting([".", ".."])
    }

    /// Runs `body` on a thread of its own, which ends with it.
    private static func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let start = Result { () throws(SystemError) in
                try SystemThread.start("confined") {
                    body()
                    continuation.resume()
                }
            }
            if case .failure = start { continuation.resume() }
        }
    }

    private static func tryCalls(_ outcome: Shared<[String: Int32]>) {
        func note(_ name: String, _ result: some SignedInteger) {
            let code = result < 0 ? errno : 0
            outcome.change { $0[name] = code }
        }
        let file = open("/dev/zero", O_RDONLY)
        note("prctl", clinux_prctl(PR_SET_NO_NEW_PRIVS, 1))
        let filtered = Result { () throws(SystemError) in
            try KernelFilter(CallFilter(process: getpid())).load(allThreads: false)
        }
        note("seccomp", (try? filtered.get()) == nil ? -1 : 0)
        note("open", open("/etc/passwd", O_RDONLY))
        var facts = stat()
        note("stat", stat("/etc/passwd", &facts))
        note("ioctl", ioctl(file, UInt(TIOCGWINSZ), &facts))
        var byte: UInt8 = 1
        note("read", read(file, &byte, 1))
        note("capset", clinux_drop_capabilities())
        let started = Monitor(false)
        let thread = Result { () throws(SystemError) in
            try SystemThread.start("inner") {
                started.withLock { $0 = true }
                started.signal()
            }
        }
        let isStarted = (try? thread.get()) != nil && started.wait(seconds: 100, while: { !$0 }) { $0 }
        note("thread", isStarted ? 0 : -1)
        close(file)
    }
}

extension CallRule {
    fileprivate var isByArgument: Bool {
        if case .oneOf = self { true } else { false }
    }
}
