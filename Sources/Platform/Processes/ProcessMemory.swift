import CLinux

/// The memory of this process.
package enum ProcessMemory {
    /// Has the threads share as many pools of the allocator as there are cores, instead of eight for each core.
    ///
    /// What a thread frees stays in its pool: with 34 threads on two cores that was a quarter of the memory of a sync.
    /// Call it before there is a second thread.
    package static func sharePools() {
        _ = mallopt(M_ARENA_MAX, CInt(clamping: Host.cores))
    }

    /// Gives back to the kernel what a burst of work has left: freed memory, and code that is not in use any more.
    ///
    /// The allocator keeps what was freed, for each thread apart; and of the code, what the start and a scan ran stays
    /// mapped. It takes milliseconds, so call it when work has ended.
    package static func giveBack() {
        _ = malloc_trim(0)
        clinux_unmap_code()
    }
}
