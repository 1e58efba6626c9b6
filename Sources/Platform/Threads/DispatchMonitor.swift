import CLinux

/// Has libdispatch look after its threads less often than once a second.
///
/// It looks by a timer of its own, also while nothing happens, whether threads are stuck and others are to be added
/// (`_dispatch_workq_monitor_pools` in its workqueue.c). Whatever blocks has a thread of its own here, so that is of
/// little use, and it is all that wakes an idle agent. The linker sends every call of the function here.
@_cdecl("__wrap_dispatch_source_set_timer")
package func setDispatchTimer(source: UnsafeMutableRawPointer, start: UInt64, interval: UInt64, leeway: UInt64) {
    let second: UInt64 = 1_000_000_000
    let isMonitor = interval == second && leeway == 0
    __real_dispatch_source_set_timer(source, start, isMonitor ? 4 * second : interval, leeway)
}
