import CLinux

/// Makes libdispatch check its threads less often than once a second.
///
/// A timer of libdispatch checks even in an idle process whether threads are stuck and others must be added
/// (`_dispatch_workq_monitor_pools` in its workqueue.c). Here every blocking call has a thread of its own, so the check
/// is of little use, and nothing else wakes an idle agent. The linker redirects every call of the function to this one.
@_cdecl("__wrap_dispatch_source_set_timer")
package func setDispatchTimer(source: UnsafeMutableRawPointer, start: UInt64, interval: UInt64, leeway: UInt64) {
    let second: UInt64 = 1_000_000_000
    let isMonitor = interval == second && leeway == 0
    __real_dispatch_source_set_timer(source, start, isMonitor ? 4 * second : interval, leeway)
}
