/// Watches a directory tree with inotify, on a thread of its own that drains the kernel's queue at once.
package final class TreeWatch: Sendable {
    /// Everything that happens from the start on, in order; ends after `stop()` or `rootVanished`.
    ///
    /// For one task; cancelling it ends the events.
    package let events: AsyncStream<WatchEvent>
    private let stopper: Wakeup

    /// Watches `root` and every directory below it that `enter` lets in; returns once all are watched.
    ///
    /// Blocks while it walks the tree. Throws when inotify itself or the root cannot be had; what goes wrong
    /// below is an event.
    ///
    /// - Parameter enter: Whether anything is to be told of the file or directory of that path. Called on
    ///   this thread, then on the watch's.
    package convenience init(root: FilePath, enter: @escaping @Sendable (FilePath) -> Bool) throws(SystemError) {
        try self.init(root: root, notify: try Inotify(), enter: enter)
    }

    init(
        root: FilePath, notify: Inotify, buffer: WatchEventBuffer = WatchEventBuffer(),
        enter: @escaping @Sendable (FilePath) -> Bool
    ) throws(SystemError) {
        let stopper = try Wakeup()
        self.stopper = stopper
        events = AsyncStream { await buffer.next() }
        let watcher = Watcher(root: try Directory(root), notify: notify, enter: enter) { buffer.send($0) }
        try watcher.begin()
        let start = Handover(watcher)
        try SystemThread.start("inotify") {
            start.value.run(until: stopper)
            buffer.finish()
        }
    }

    deinit { stopper.raise() }

    /// Ends the thread and, after those that happened by now, the events.
    package func stop() {
        stopper.raise()
    }

    /// Hands the watcher to its thread, which alone uses it from then on.
    private final class Handover: @unchecked Sendable {
        let value: Watcher
        init(_ value: Watcher) { self.value = value }
    }
}
