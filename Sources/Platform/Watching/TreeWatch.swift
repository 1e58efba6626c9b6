import Glibc
import Synchronization

/// Watches a directory tree with inotify, on its own thread that empties the kernel's queue at once.
package final class TreeWatch: Sendable {
    /// All events since the start, in order; ends after `stop()` or `rootVanished`.
    ///
    /// For one task; cancelling that task ends the events.
    package let events: AsyncStream<WatchEvent>
    private let stopper: Wakeup
    private let watcher: SharedWatcher

    /// Watches `root` and every directory below it that `enter` accepts; returns once all are watched.
    ///
    /// Blocks while it walks the tree. Throws when inotify is not available or the root cannot be opened; failures
    /// below the root are events.
    ///
    /// - Parameter enter: Whether to report the file or directory at that path. Called on this thread, then on
    ///   the watch's.
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
        let watcher = Watcher(root: root, notify: notify, enter: enter) { buffer.send($0) }
        try watcher.begin()
        let shared = SharedWatcher(watcher)
        self.watcher = shared
        try Threads.current.follow("inotify", notify.queue.descriptor, until: stopper) {
            shared.handleEvents()
        } end: {
            buffer.finish()
        }
    }

    deinit { stopper.raise() }

    /// Ends the thread, and the stream after the events that have happened so far.
    package func stop() {
        stopper.raise()
    }

    /// Tries the directories again that could not be watched, with all below them; `false` if some still cannot be.
    ///
    /// Blocks while it walks them. What has changed there until now is no event.
    package func watchMissing() -> Bool {
        let (isComplete, isThere) = watcher.addMissing()
        if !isThere { stop() }
        return isComplete
    }

    /// The watcher, which its own thread uses, and each that adds what is missing.
    private final class SharedWatcher: @unchecked Sendable {
        private let watcher: Watcher
        private let lock = Mutex(())

        init(_ watcher: Watcher) { self.watcher = watcher }

        func handleEvents() -> Bool { lock.withLock { _ in watcher.handleEvents() } }

        /// Whether all is watched now, and whether the root is still there.
        func addMissing() -> (isComplete: Bool, isThere: Bool) {
            lock.withLock { _ in
                let isComplete = watcher.addMissing()
                // What was read from the kernel's queue on the way is handled now, because nothing may follow it.
                return (isComplete, watcher.handleEvents())
            }
        }
    }
}

extension TreeWatch {
    /// Throws if this user cannot watch one tree more, as when other programs have used up the limit.
    package static func checkLimit() throws(SystemError) { _ = try Inotify() }
}

extension SystemError {
    /// The kernel's limit that keeps a directory from being watched; `nil` if it is none that the user can raise.
    package var watchLimit: String? {
        switch (call, code) {
        case ("inotify_init1", EMFILE): "fs.inotify.max_user_instances"
        case ("inotify_add_watch", ENOSPC): "fs.inotify.max_user_watches"
        default: nil
        }
    }

    /// Whether the system lacks something that a watch needs, though the directory is there.
    package var isOfWatchLimit: Bool {
        watchLimit != nil || [EMFILE, ENFILE, ENOMEM, EAGAIN].contains(code)
    }
}
