import CLinux
import Glibc

extension SystemThread {
    /// Throws if the system does not let this process have `count` more threads at once.
    ///
    /// Without threads Swift's pool waits for ever, and other libraries end the process.
    package static func checkRoom(for count: Int) throws(SystemError) {
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { gate.deallocate() }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 64 << 10)
        defer { pthread_attr_destroy(&attributes) }
        pthread_mutex_init(gate, nil)
        pthread_mutex_lock(gate)
        var threads: [pthread_t] = []
        var code: Int32 = 0
        while code == 0, threads.count < count {
            var thread: pthread_t = 0
            code = pthread_create(&thread, &attributes, passGate, gate)
            if code == 0 { threads.append(thread) }
        }
        pthread_mutex_unlock(gate)
        for thread in threads { pthread_join(thread, nil) }
        pthread_mutex_destroy(gate)
        try SystemError.checkNumber(code, "pthread_create")
    }
}

/// Waits until all threads are there; outside the type, since pthread_create takes a C function pointer.
private func passGate(_ gate: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
    pthread_mutex_lock(gate)
    pthread_mutex_unlock(gate)
    return nil
}
