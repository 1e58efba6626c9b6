import CLinux
import Glibc

/// Threads outside Swift's pool, for calls that block.
package enum SystemThread {
    /// Starts a thread that runs `body` and then ends.
    ///
    /// - Parameter name: Shown by `ps -L` and by debuggers, cut to 15 bytes.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        try Threads.current.start(name, body)
    }

    static func startDetached(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        let code = create(start.toOpaque())
        if code != 0 { start.release() }
        try SystemError.checkNumber(code, "pthread_create")
    }

    private static func create(_ context: UnsafeMutableRawPointer) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 512 << 10)
        var thread: pthread_t = 0
        let code = pthread_create(&thread, &attributes, runThread, context)
        pthread_attr_destroy(&attributes)
        return code
    }

    fileprivate final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}

/// A function outside the type, since pthread_create takes a C function pointer.
private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let start = Unmanaged<SystemThread.Start>.fromOpaque(context).takeRetainedValue()
    pthread_setname_np(pthread_self(), String(start.name.prefix(15)))
    start.body()
    return nil
}
