import CLinux

/// The memory of this process.
package enum ProcessMemory {
    /// Limits the allocator to one pool for each core, which threads share, instead of eight for each core.
    ///
    /// Freed memory stays in its thread's pool: with 34 threads on two cores, a quarter of a sync's memory.
    /// Call it before there is a second thread.
    package static func sharePools() {
        _ = mallopt(M_ARENA_MAX, CInt(clamping: Host.cores))
    }

    /// Returns memory that a burst of work leaves behind to the kernel: freed blocks, and code that no longer runs.
    ///
    /// The allocator keeps freed memory in each thread's pool, and code pages that the start and a scan have used stay
    /// mapped. It takes milliseconds, so call it when work has ended.
    package static func giveBack() {
        _ = malloc_trim(0)
        clinux_unmap_code()
    }
}
