import CLinux

/// The memory of this process.
package enum ProcessMemory {
    /// Gives back to the kernel what a burst of work has left: freed memory, and code that is not in use any more.
    ///
    /// The allocator keeps what was freed, for each thread apart; and of the code, what the start and a scan ran stays
    /// mapped. It takes milliseconds, so call it when work has ended.
    package static func giveBack() {
        _ = malloc_trim(0)
        clinux_unmap_code()
    }
}
