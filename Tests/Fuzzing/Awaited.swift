import Dispatch
import Synchronization

/// Waits for asynchronous work, because libFuzzer calls on a thread that cannot suspend.
enum Awaited {
    private final class Place<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    static func value<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value? {
        let (place, done) = (Place<Value>(), DispatchSemaphore(value: 0))
        Task.detached {
            let value = await work()
            place.value.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        return place.value.withLock { $0 }
    }
}
