import CLinux
import Glibc

/// Watches a directory tree with inotify, on a thread of its own that drains the kernel's queue at once.
package final class TreeWatch: Sendable {
    /// Everything that happens from the start on, in order; ends after `stop()` or `rootVanished`.
    package let events: AsyncStream<WatchEvent>
    private let stopper: OpenFile
    /// Kept, so that stopping an ended thread writes to a pipe that still has a reader.
    private let stopped: OpenFile

    /// Watches `root` and every directory below it that `enter` lets in; returns once all are watched.
    ///
    /// Blocks while it walks the tree. Throws when inotify itself or the root cannot be had; what goes wrong
    /// below is an event.
    package init(root: FilePath, enter: @escaping @Sendable (FilePath) -> Bool) throws(SystemError) {
        let notify = OpenFile(
            descriptor: try SystemError.check("inotify_init1") {
                inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            })
        var ends: [Int32] = [-1, -1]
        try SystemError.check("pipe2") { pipe2(&ends, O_CLOEXEC) }
        let stopped = OpenFile(descriptor: ends[0])
        self.stopped = stopped
        stopper = OpenFile(descriptor: ends[1])
        let (events, continuation) = AsyncStream.makeStream(of: WatchEvent.self)
        self.events = events
        let watcher = Watcher(notify: notify, root: root, enter: enter) { continuation.yield($0) }
        try watcher.begin()
        let start = Handover(watcher)
        try SystemThread.start("inotify") {
            start.value.drain(until: stopped)
            continuation.finish()
        }
    }

    /// Ends the thread and the events.
    package func stop() {
        // Only a pipe full of earlier stops refuses one more.
        try? stopper.append([1])
    }

    /// Hands the watcher to its thread, which alone uses it from then on.
    private final class Handover: @unchecked Sendable {
        let value: Watcher
        init(_ value: Watcher) { self.value = value }
    }
}

/// The watches of one tree; used by one thread at a time.
private final class Watcher {
    private let notify: OpenFile
    private let root: FilePath
    private let enter: @Sendable (FilePath) -> Bool
    private let emit: (WatchEvent) -> Void
    private var paths: [Int32: FilePath] = [:]
    private var rootWatch: Int32 = -1

    init(
        notify: OpenFile, root: FilePath, enter: @escaping @Sendable (FilePath) -> Bool,
        emit: @escaping (WatchEvent) -> Void
    ) {
        self.notify = notify
        self.root = root
        self.enter = enter
        self.emit = emit
    }

    private static let mask =
        UInt32(IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
        | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_EXCL_UNLINK) | UInt32(IN_ONLYDIR)

    /// Watches the root, then all below it.
    func begin() throws(SystemError) {
        let directory = try Directory(root)
        rootWatch = try watch(directory, at: "")
        watchChildren(of: directory, at: "")
    }

    @discardableResult
    private func watch(_ directory: Directory, at path: FilePath) throws(SystemError) -> Int32 {
        // Through the descriptor: the name may stand for something else by now.
        let place = "/proc/self/fd/\(directory.descriptor)"
        let watch = try SystemError.check("inotify_add_watch", root.appending(path)) {
            inotify_add_watch(notify.descriptor, place, Self.mask)
        }
        paths[watch] = path
        return watch
    }

    /// Watches the directories in `directory`, and so on; each before it is read, so nothing falls in between.
    private func watchChildren(of directory: Directory, at path: FilePath) {
        var waiting = children(of: directory, at: path)
        while let next = waiting.popLast() {
            if let opened = add(next) { waiting += children(of: opened, at: next) }
        }
    }

    private func add(_ path: FilePath) -> Directory? {
        do throws(SystemError) {
            let directory = try Directory(root).open(directory: path)
            try watch(directory, at: path)
            return directory
        } catch {
            // A directory that is gone again needs no watch.
            if error.code != ENOENT && error.code != ENOTDIR && error.code != ELOOP { emit(.unwatched(path, error)) }
            return nil
        }
    }

    private func children(of directory: Directory, at path: FilePath) -> [FilePath] {
        do throws(SystemError) {
            return try directory.entries().filter { $0.kind == .directory || $0.kind == nil }
                .map { path.appending($0.name) }.filter(enter)
        } catch {
            emit(.unwatched(path, error))
            return []
        }
    }

    // MARK: - Events

    /// Reads events until `stopped` can be read or the root is gone.
    func drain(until stopped: OpenFile) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 8)
        defer { buffer.deallocate() }
        var descriptors = [
            pollfd(fd: notify.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stopped.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&descriptors, 2, -1) >= 0 || errno == EINTR else { return }
            if descriptors[1].revents != 0 { return }
            while case let count = read(notify.descriptor, buffer.baseAddress, buffer.count), count > 0 {
                guard handle(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return }
            }
        }
    }

    /// Whether the root is still there after these events.
    private func handle(_ events: UnsafeRawBufferPointer) -> Bool {
        let header = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + header <= events.count {
            let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let name = events[(offset + header)..<(offset + header + Int(event.len))].prefix { $0 != 0 }
            offset += header + Int(event.len)
            guard handle(event, name: Array(name)) else { return false }
        }
        return true
    }

    private func handle(_ event: inotify_event, name: [UInt8]) -> Bool {
        let mask = event.mask
        if mask & UInt32(IN_Q_OVERFLOW) != 0 {
            // Directories may have come and gone unseen: watch what is there now.
            emit(.overflow)
            return rewatch()
        }
        if mask & UInt32(IN_IGNORED) != 0 {
            paths[event.wd] = nil
            return true
        }
        if event.wd == rootWatch, mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0 {
            emit(.rootVanished)
            return false
        }
        guard let directory = paths[event.wd], !name.isEmpty else { return true }
        let path = directory.appending(name)
        guard enter(path) else { return true }
        if mask & UInt32(IN_ISDIR) != 0 {
            handleDirectory(path, mask)
        } else {
            handleFile(path, mask)
        }
        return true
    }

    private func handleFile(_ path: FilePath, _ mask: UInt32) {
        if mask & UInt32(IN_CLOSE_WRITE | IN_MOVED_TO) != 0 {
            emit(.written(path))
        } else if mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0 {
            emit(.removed(path))
        } else if mask & UInt32(IN_MODIFY | IN_CREATE) != 0 {
            emit(.modified(path))
        }
    }

    private func handleDirectory(_ path: FilePath, _ mask: UInt32) {
        if mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 {
            if let directory = add(path) { watchChildren(of: directory, at: path) }
            emit(.directoryAppeared(path))
        } else if mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0 {
            unwatch(path)
            emit(.directoryVanished(path))
        }
    }

    /// Ends the watches of a directory that went elsewhere: they follow the directory, not its name.
    private func unwatch(_ path: FilePath) {
        for (watch, watched) in paths where watched == path || watched.relative(to: path) != nil {
            inotify_rm_watch(notify.descriptor, watch)
            paths[watch] = nil
        }
    }

    private func rewatch() -> Bool {
        guard let directory = try? Directory(root) else {
            emit(.rootVanished)
            return false
        }
        // Adding a watch twice gives the same one, so only what is new costs a watch.
        watchChildren(of: directory, at: "")
        return true
    }
}
