import Glibc

/// How the process ends if a library traps or aborts because it was refused memory.
package enum MemoryTrap {
    /// The exit code in that case, instead of the signal.
    package static let exitCode: Int32 = 88

    /// Ends this process with `exitCode` if a trap would end it after memory was refused.
    package static func set() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { signal in
            // The last failing call on this thread, whose errno this is, was refused memory.
            if errno == ENOMEM { _exit(MemoryTrap.exitCode) }
            raise(signal)
        }
        // The handler is gone after one signal, so that raising it again ends the process as if there were none.
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
        for signal in [SIGILL, SIGTRAP, SIGABRT] { sigaction(signal, &action, nil) }
    }

    /// Clears the mark of an earlier refusal of memory.
    package static func forget() {
        errno = 0
    }
}
