import Glibc

/// Tells when a path may name something else than it did: it, or a directory above it, was deleted or renamed.
///
/// Its thread sleeps until then. What happened the caller has to look at.
package final class PathWatch: Sendable {
    /// One element for any number of such changes; ends after `stop()`.
    ///
    /// For one task; cancelling that task ends it.
    package let changes: AsyncStream<Void>
    private let stopper: Wakeup

    /// Watches the file or directory at the absolute `path`, and the directories above it that this user may watch.
    ///
    /// Throws where nothing is there, or inotify is not available.
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
        try SystemThread.start("inotify") {
            while (try? stopper.wait(for: notify.queue.descriptor)) == true {
                _ = notify.read()
                teller.yield()
            }
            teller.finish()
        }
    }

    deinit { stopper.raise() }

    /// Ends the thread and the changes.
    package func stop() { stopper.raise() }
}
