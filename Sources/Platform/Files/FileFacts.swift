import CLinux
import Glibc

/// What kind of thing a name stands for.
package enum FileKind: Hashable, Sendable {
    case file, directory, symlink, other
}

/// What the file system knows about a file without reading it.
package struct FileFacts: Hashable, Sendable {
    /// A symlink is `symlink` only where links were not followed.
    package let kind: FileKind
    /// Size in bytes.
    package let size: Int64
    /// The time of the last change of the content (mtime), which programs may also set.
    package let modifiedAt: FileTime
    /// Unique among the files of one mounted file system; not always the same after a new mount.
    package let inode: UInt64
    /// The device number of its file system, valid as long as that stays mounted.
    package let device: UInt64
    /// Permission bits only, such as `0o644`.
    package let mode: UInt32
    /// The number of names the file has.
    package let links: UInt64
    /// The id of the user who owns it.
    package let owner: UInt32

    /// Facts from the system, or in a test from a literal that names only what matters.
    package init(
        kind: FileKind, size: Int64, modifiedAt: FileTime, inode: UInt64 = 0, device: UInt64 = 0,
        mode: UInt32 = 0o600, links: UInt64 = 1, owner: UInt32 = 0
    ) {
        self.kind = kind
        self.size = size
        self.modifiedAt = modifiedAt
        self.inode = inode
        self.device = device
        self.mode = mode
        self.links = links
        self.owner = owner
    }

    /// The facts of what `path` names now.
    package init(of path: FilePath, followingLinks: Bool = true) throws(SystemError) {
        self = try FileFacts(at: AT_FDCWD, path, flags: followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
    }

    /// The facts of what `path` names now, or `nil` when nothing has that name.
    package static func existing(_ path: FilePath, followingLinks: Bool = true) throws(SystemError) -> FileFacts? {
        try present { () throws(SystemError) in try FileFacts(of: path, followingLinks: followingLinks) }
    }

    /// What is at `path`: `nil` if nothing is there, and a file if it cannot be looked at, since it may be one.
    package static func likelyKind(at path: FilePath) -> FileKind? {
        do throws(SystemError) { return try existing(path)?.kind } catch { return .file }
    }

    /// When the file at `path` was made, which a renamed file keeps and a copy has anew; `nil` if that is not known.
    package static func birth(of path: FilePath) -> FileTime? {
        let nanoseconds = path.withCString { clinux_birth_time($0) }
        return nanoseconds == 0 ? nil : FileTime(nanoseconds: nanoseconds)
    }

    /// What `body` returns, or `nil` when it fails because nothing has that name.
    static func present<Value>(_ body: () throws(SystemError) -> Value) throws(SystemError) -> Value? {
        do {
            return try body()
        } catch  where error.isMissing {
            return nil
        }
    }
}

extension FileFacts {
    init(at directory: Int32, _ name: FilePath, flags: Int32) throws(SystemError) {
        var status = stat()
        try SystemError.check("fstatat", name) { name.withCString { fstatat(directory, $0, &status, flags) } }
        self.init(status)
    }

    init(_ status: stat) {
        self.init(
            kind: FileKind(mode: status.st_mode), size: Int64(status.st_size), modifiedAt: FileTime(status.st_mtim),
            inode: UInt64(status.st_ino), device: UInt64(status.st_dev), mode: UInt32(status.st_mode & 0o7777),
            links: UInt64(status.st_nlink), owner: UInt32(status.st_uid))
    }
}

extension FileKind {
    init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .directory
        case S_IFLNK: self = .symlink
        default: self = .other
        }
    }
}

extension FileTime {
    /// The nearest time that `FileTime` can hold: file systems store later and earlier ones.
    init(_ time: timespec) {
        let whole = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let sum = whole.partialValue.addingReportingOverflow(Int64(time.tv_nsec))
        guard !whole.overflow, !sum.overflow else {
            self = time.tv_sec < 0 ? .earliest : .latest
            return
        }
        self.init(nanoseconds: sum.partialValue)
    }

    /// Rounds down, so that times before 1970 have positive nanoseconds as well.
    var timespec: Glibc.timespec {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let before = rest < 0 ? 1 : 0
        return Glibc.timespec(tv_sec: Int(seconds) - before, tv_nsec: Int(rest) + before * 1_000_000_000)
    }

    /// The time of the system clock, which may jump.
    package static var now: FileTime {
        var time = Glibc.timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return FileTime(time)
    }
}
