import Glibc
import TestSupport
import Testing

@testable import Platform

/// What a process inherits from the one that started it; each test has a process of its own.
@Suite struct InheritedSignalTests {
    /// An ignored SIGCHLD stays ignored across exec, and then no exit status is left to read.
    @Test(arguments: [0, 7])
    func endsAreReportedWhereTheParentIgnoredThem(code: Int32) async {
        await #expect(processExitsWith: .success) { [code] in
            signal(SIGCHLD, SIG_IGN)
            Signals.block([])
            let child = try ChildProcess.spawn("/bin/sh", arguments: ["-c", "exit \(code)"])
            #expect(await child.exit == .exited(code))
        }
    }

    /// As of a shell's `ulimit -f`: the write fails like one on a full disk, and the process goes on.
    @Test func aFileThatMayNotGrowIsADiskThatIsFull() async {
        await #expect(processExitsWith: .success) {
            Signals.block([])
            try await FileTree().withDirectory { root in
                let file = try OpenFile(appending: root.appending("journal"))
                var limits = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
                limits.rlim_cur = 4_096
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
                let journal = Journal(file)
                try await journal.append([UInt8](repeating: 97, count: 4_000)).wait()
                let torn = journal.append([UInt8](repeating: 98, count: 4_000))
                let error = await #expect(throws: SystemError.self) { try await torn.wait() }
                #expect(error?.isDiskFull == true)
                // The kernel has written what fits; nothing after that is acknowledged.
                #expect(try file.facts().size == 4_096)
                let later = journal.append([1])
                await #expect(throws: SystemError.self) { try await later.wait() }
                #expect(try file.readAll().prefix(4_001) == [UInt8](repeating: 97, count: 4_000) + [10])
            }
        }
    }

    /// A handler without SA_RESTART interrupts calls that wait: not a byte is lost or read twice.
    @Test func signalsInterruptNoTransfer() async {
        await #expect(processExitsWith: .success) {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in }
            sigaction(SIGUSR1, &action, nil)
            let (kept, child) = try MessageSocket.pair()
            let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
            let isOver = Shared(false)
            try SystemThread.start("signals") {
                while !isOver.value { kill(getpid(), SIGUSR1) }
            }
            async let sent: Void = Blocking.run { () throws(SystemError) in
                for _ in 0..<5 { try child.send(bytes) }
            }
            for _ in 0..<5 { #expect(try await Blocking.run { try kept.receive()?.bytes } == bytes) }
            try await sent
            try await FileTree(["file": "x"]).withDirectory { root in
                let file = try OpenFile(creating: root.appending("copy"))
                try file.write(bytes, at: 0)
                try file.synchronize()
                #expect(try file.readAll() == bytes)
            }
            isOver.change { $0 = true }
        }
    }
}
