import Glibc

/// What happens where a library's code traps or aborts because it was refused memory.
package enum MemoryTrap {
    /// How the process ends then, instead of by the signal.
    package static let exitCode: Int32 = 88

    /// Ends this process with `exitCode` where it would be ended by a trap after memory was refused.
    package static func set() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { signal in
            // The last call that failed did so for lack of memory; each thread has its own number.
            if errno == ENOMEM { _exit(MemoryTrap.exitCode) }
            raise(signal)
        }
        // Raised again, the signal ends the process as it would have without a handler.
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
        for signal in [SIGILL, SIGTRAP, SIGABRT] { sigaction(signal, &action, nil) }
    }

    /// Forgets memory that was refused before.
    package static func forget() {
        errno = 0
    }
}
