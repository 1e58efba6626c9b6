import CLinux
import Glibc

/// A value behind a lock, with a way to sleep until it changes.
final class Monitor<Value>: @unchecked Sendable {
    // Behind a pointer, since a sleeping thread must not hold the exclusive access of a property's `inout`.
    private let value: UnsafeMutablePointer<Value>
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    init(_ initial: Value) {
        value = .allocate(capacity: 1)
        value.initialize(to: initial)
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Runs `body` while no other thread can access the value.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value.pointee)
    }

    /// Sleeps while `condition` holds, then runs `body` on the value.
    func wait<Result>(while condition: (Value) -> Bool, _ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while condition(value.pointee) { pthread_cond_wait(changed, mutex) }
        return body(&value.pointee)
    }

    /// The same, but continues after `seconds` even when `condition` still holds.
    func wait<Result>(seconds: Int, while condition: (Value) -> Bool, _ body: (inout Value) -> Result) -> Result {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        end.tv_sec += seconds
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while condition(value.pointee), pthread_cond_timedwait(changed, mutex, &end) != ETIMEDOUT {}
        return body(&value.pointee)
    }

    /// Wakes one sleeping thread.
    func signal() { pthread_cond_signal(changed) }

    /// Wakes every sleeping thread.
    func broadcast() { pthread_cond_broadcast(changed) }
}
