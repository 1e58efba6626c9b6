import Glibc

/// Translates the kernel's events about one tree into `WatchEvent`s; used by one thread at a time.
///
/// It keeps nothing below the tree open, so that the tree's disk can be unmounted at any time.
final class Watcher {
    private let root: FilePath
    /// Where the root was when the watch began.
    private var place: DirectoryPlace?
    private let notify: Inotify
    private let enter: (FilePath) -> Bool
    private let emit: (WatchEvent) -> Void
    private var directories = WatchedDirectories()
    /// Watches of the directories above the root.
    private var above: Set<Int32> = []
    /// The watch of the directory that contains the root: a deleted directory that is still open sends no event itself.
    private var around: Int32?
    /// Events read from the kernel and not handled yet.
    private var waiting: [Inotify.Event] = []
    private var isFull = false
    /// Directories that could not be watched, or read for those below them.
    private var missing: Set<FilePath> = []

    init(
        root: FilePath, notify: Inotify, enter: @escaping (FilePath) -> Bool, emit: @escaping (WatchEvent) -> Void
    ) {
        self.root = root
        self.notify = notify
        self.enter = enter
        self.emit = emit
    }

    /// Watches the root, the directories above it, and all below it.
    func begin() throws(SystemError) {
        let directory = try Directory(root)
        place = try directory.place()
        _ = try watch("", in: directory)
        var parent = root.parent
        while root.isAbsolute, !parent.isEmpty {
            let isAround = parent == root.parent
            let watch = notify.watchItself(parent, andWhatGoes: isAround)
            if let watch { above.insert(watch) }
            if isAround { around = watch }
            parent = parent == "/" ? "" : parent.parent
        }
        addAll([""])
    }

    /// Handles the events in the kernel's queue; `false` when the root has vanished.
    func handleEvents() -> Bool {
        waiting += notify.read()
        var next = 0
        // Handling an event may read more events.
        while next < waiting.count {
            guard handle(waiting[next]) else {
                emit(.rootVanished)
                return false
            }
            next += 1
        }
        waiting.removeAll(keepingCapacity: waiting.count < 1024)
        return true
    }
}

extension Watcher {
    /// Watches `paths` and all below them: each is watched before it is read, so that no change is missed.
    private func addAll(_ paths: [FilePath]) {
        let directory: Directory
        do throws(SystemError) {
            directory = try Directory(root)
            // A directory that replaced the root is not this tree. An event of its own tells that the root is gone.
            guard try directory.place() == place else { return }
        } catch {
            return tell(error, "")
        }
        var left = paths
        var read = 0
        while let path = left.popLast() {
            do throws(SystemError) {
                left += children(of: try watch(path, in: directory), path)
            } catch {
                tell(error, path)
                if error.code == ENOSPC { return missing.formUnion(left) }
            }
            read += 1
            // The kernel's queue is short; it must not overflow while a large tree is walked.
            if read.isMultiple(of: 64) { waiting += notify.read() }
        }
    }

    /// Tries the directories again that could not be watched; `false` if some still cannot be.
    func addMissing() -> Bool {
        let paths = Array(missing)
        missing.removeAll()
        if !paths.isEmpty { addAll(paths) }
        return missing.isEmpty
    }

    private func watch(_ path: FilePath, in root: Directory) throws(SystemError) -> Directory {
        let directory = try root.open(directory: path)
        let lost = directories.insert(try notify.watch(directory, after: directories.count), at: path)
        for watch in lost { notify.end(watch) }
        isFull = false
        return directory
    }

    private func children(of directory: Directory, _ path: FilePath) -> [FilePath] {
        do throws(SystemError) {
            return try directory.entries().filter { $0.kind == .directory || $0.kind == nil }
                .map { path.appending($0.name) }.filter(enter)
        } catch {
            tell(error, path)
            return []
        }
    }

    private func tell(_ error: SystemError, _ path: FilePath) {
        // An entry that has vanished meanwhile, or is not a directory, needs no watch.
        if [ENOENT, ENOTDIR, ELOOP].contains(error.code) { return }
        missing.insert(path)
        if error.code == ENOSPC {
            if isFull { return }
            isFull = true
        }
        emit(.unwatched(path, error))
    }
}

extension Watcher {
    /// Handles one event; `false` when the root has vanished.
    private func handle(_ event: Inotify.Event) -> Bool {
        if event.has(IN_Q_OVERFLOW) { return watchAnew() }
        if event.watch == directories.root || above.contains(event.watch) {
            if event.has(IN_DELETE_SELF, IN_MOVE_SELF, IN_UNMOUNT) { return false }
        }
        // An event with the root's own name: another directory may have replaced the root, if that was empty.
        if event.watch == around, event.name == root.name { return !event.has(IN_DELETE, IN_MOVED_TO) }
        if event.has(IN_IGNORED) {
            for watch in directories.remove(event.watch) where watch != event.watch { notify.end(watch) }
            return true
        }
        guard !event.name.isEmpty, let directory = directories.path(of: event.watch) else { return true }
        let path = directory.appending(event.name)
        guard enter(path) else { return true }
        if event.has(IN_ISDIR) { handleDirectory(path, event) } else { handleFile(path, event) }
        return true
    }

    private func handleFile(_ path: FilePath, _ event: Inotify.Event) {
        // Programs usually set times and rights last, after they have closed the file.
        if event.has(IN_CLOSE_WRITE, IN_MOVED_TO, IN_ATTRIB) || event.has(IN_CREATE) && isFurtherName(path) {
            emit(.written(path))
        } else if event.has(IN_DELETE, IN_MOVED_FROM) {
            emit(.removed(path))
        } else {
            emit(.modified(path))
        }
    }

    /// Whether an existing file got this name as a second one: then no program is about to close it.
    private func isFurtherName(_ path: FilePath) -> Bool {
        guard let facts = try? FileFacts(of: root.appending(path), followingLinks: false) else { return false }
        return facts.links > 1
    }

    private func handleDirectory(_ path: FilePath, _ event: Inotify.Event) {
        if event.has(IN_DELETE, IN_MOVED_FROM) {
            forget(path)
            emit(.directoryVanished(path))
        } else if event.has(IN_CREATE, IN_MOVED_TO) || directories.watch(at: path) == nil {
            // Neither created nor moved: its rights changed, so it may be readable now.
            addAll([path])
            emit(.directoryAppeared(path))
        }
    }

    /// Ends the watches of a directory that was moved out of the tree, because they would follow it.
    private func forget(_ path: FilePath) {
        guard let watch = directories.watch(at: path) else { return }
        for watch in directories.remove(watch) { notify.end(watch) }
    }

    /// Watches everything again after events were lost: directories came, went and moved unseen.
    private func watchAnew() -> Bool {
        missing.removeAll()
        for watch in directories.watches where watch != directories.root {
            for watch in directories.remove(watch) { notify.end(watch) }
        }
        addAll([""])
        emit(.overflow)
        return true
    }
}
