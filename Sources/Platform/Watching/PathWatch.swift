import Glibc

/// Tells when a path may name another file than before: it, or a directory above it, was deleted or renamed.
///
/// Its thread sleeps until then. The caller has to look what has happened.
package final class PathWatch: Sendable {
    /// One element, however many changes have happened since the last; ends after `stop()`.
    ///
    /// For one task; cancelling that task ends it.
    package let changes: AsyncStream<Void>
    private let stopper: Wakeup

    /// Watches the file or directory at the absolute `path`, and the directories above it that this user may watch.
    ///
    /// Throws if nothing has that path, or inotify is not available.
    package init(_ path: FilePath) throws(SystemError) {
        let (notify, stopper) = (try Inotify(), try Wakeup())
        try notify.watchName(of: path)
        var parent = path.parent
        while !parent.isEmpty, parent != "/" {
            _ = notify.watchItself(parent)
            parent = parent.parent
        }
        let (changes, teller) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        teller.onTermination = { _ in stopper.raise() }
        (self.changes, self.stopper) = (changes, stopper)
        try Threads.current.follow("inotify", notify.queue.descriptor, until: stopper) {
            _ = notify.read()
            teller.yield()
            return true
        } end: {
            teller.finish()
        }
    }

    deinit { stopper.raise() }

    /// Ends the thread and the changes.
    package func stop() { stopper.raise() }
}
