import Glibc

/// The kernel's queue of file events.
struct Inotify {
    /// One event: its watch, what happened, and the name in that directory, empty for the directory itself.
    struct Event: Hashable {
        let watch: Int32
        let mask: UInt32
        let name: [UInt8]

        func has(_ bits: Int32...) -> Bool { bits.contains { mask & UInt32(bitPattern: $0) != 0 } }
    }

    let queue: OpenFile
    /// The most watches this queue may have; lower in a test than what the kernel grants.
    private let limit: Int

    init(limit: Int = .max) throws(SystemError) {
        queue = OpenFile(
            descriptor: try SystemError.check("inotify_init1") { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) })
        self.limit = limit
    }

    private static let content =
        IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_EXCL_UNLINK
    private static let itself = IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR

    /// Watches the entries of an open directory; returns the existing watch where it has one.
    func watch(_ directory: Directory, after count: Int) throws(SystemError) -> Int32 {
        guard count < limit else { throw SystemError(call: "inotify_add_watch", code: ENOSPC, path: directory.path) }
        // Through the descriptor, because another directory may have the path by now.
        let place = "/proc/self/fd/\(directory.descriptor)"
        return try SystemError.check("inotify_add_watch", directory.path) {
            inotify_add_watch(queue.descriptor, place, UInt32(Self.content | Self.itself))
        }
    }

    /// Watches only whether the directory at `path` is deleted or renamed; `nil` where not permitted.
    ///
    /// - Parameter isAround: Whether to watch also for names that are deleted in it or renamed into it.
    func watchItself(_ path: FilePath, andWhatGoes isAround: Bool = false) -> Int32? {
        let mask = Self.itself | (isAround ? IN_DELETE | IN_MOVED_TO : 0)
        let watch = path.withCString { inotify_add_watch(queue.descriptor, $0, UInt32(mask)) }
        return watch < 0 ? nil : watch
    }

    /// Watches whether the file at `path` loses or gains a name, also while it is open.
    func watchName(of path: FilePath) throws(SystemError) {
        let mask = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
        try SystemError.check("inotify_add_watch", path) {
            path.withCString { inotify_add_watch(queue.descriptor, $0, mask) }
        }
    }

    func end(_ watch: Int32) {
        inotify_rm_watch(queue.descriptor, watch)
    }

    /// The events in the kernel's queue, without waiting for more; at most about 65,000 at a time.
    func read() -> [Event] {
        var events: [Event] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 8)
        defer { buffer.deallocate() }
        while events.count < 1 << 16,
            case let count = Glibc.read(queue.descriptor, buffer.baseAddress, buffer.count), count > 0
        {
            Self.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &events)
        }
        return events
    }

    private static func parse(_ records: UnsafeRawBufferPointer, into events: inout [Event]) {
        let header = MemoryLayout<inotify_event>.size
        var start = 0
        while start + header <= records.count {
            let event = records.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
            let end = start + header + Int(event.len)
            let name = records[(start + header)..<end].prefix { $0 != 0 }
            events.append(Event(watch: event.wd, mask: event.mask, name: Array(name)))
            start = end
        }
    }
}
