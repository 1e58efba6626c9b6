import CLinux
import Glibc

/// An open file, closed when its last reference goes away.
///
/// Safe to share between threads: reads and writes name their offset. Every descriptor is closed on exec.
package final class OpenFile: Sendable {
    /// Valid as long as this object exists; never close it.
    package let descriptor: Int32
    /// The path it was opened with, for messages.
    private let path: FilePath?

    /// Opens an existing file for reading.
    package init(reading path: FilePath) throws(SystemError) {
        descriptor = try SystemError.check("open", path) {
            path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
        }
        self.path = path
    }

    /// Opens a file for reading and writing, emptied or created; `exclusive` throws `EEXIST` instead.
    package init(creating path: FilePath, mode: UInt32 = 0o600, exclusive: Bool = false) throws(SystemError) {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | (exclusive ? O_EXCL : O_TRUNC)
        descriptor = try SystemError.check("open", path) { path.withCString { open($0, flags, mode_t(mode)) } }
        self.path = path
    }

    /// Opens a file whose writes all go to its end; creates it when it is missing.
    package init(appending path: FilePath, mode: UInt32 = 0o600) throws(SystemError) {
        let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY
        descriptor = try SystemError.check("open", path) { path.withCString { open($0, flags, mode_t(mode)) } }
        self.path = path
    }

    /// Takes ownership of `descriptor`, which no other code may close.
    package init(descriptor: Int32, path: FilePath? = nil) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// What the file system knows about the file now.
    package func facts() throws(SystemError) -> FileFacts {
        var status = stat()
        try SystemError.check("fstat", path) { fstat(descriptor, &status) }
        return FileFacts(status)
    }
}

extension OpenFile {
    /// Fills `buffer` from `offset` on; returns how many bytes, fewer only at the end of the file.
    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try SystemError.check("pread", path) {
                pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + filled)
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// The bytes from `offset` on, at most `limit`; fewer only at the end of the file.
    package func read(at offset: Int64, upTo limit: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            do throws(SystemError) {
                count = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// The whole content, also of a pipe; throws `EFBIG` when it is larger than `limit` bytes.
    package func readAll(limit: Int = 1 << 30) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        let isSeekable = lseek(descriptor, 0, SEEK_CUR) >= 0
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try SystemError.check("read", path) {
                isSeekable
                    ? pread(descriptor, &piece, piece.count, off_t(bytes.count))
                    : Glibc.read(descriptor, &piece, piece.count)
            }
            if count == 0 { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= limit else { throw SystemError(call: "read", code: EFBIG, path: path) }
        }
    }
}

extension OpenFile {
    /// Writes all of `bytes` at `offset`.
    package func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        try write(bytes.span.bytes, at: offset)
    }

    /// Writes all of `bytes` at `offset`.
    package func write(_ bytes: RawSpan, at offset: Int64) throws(SystemError) {
        try writeAll(bytes, "pwrite") { rest, written in
            pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + written)
        }
    }

    /// Writes all of `bytes` after the last append, or at the end of a file opened for appending.
    package func append(_ bytes: [UInt8]) throws(SystemError) {
        try writeAll(bytes.span.bytes, "write") { rest, _ in
            Glibc.write(descriptor, rest.baseAddress, rest.count)
        }
    }

    /// Calls `body` with the remaining bytes and the number written, until none remain.
    private func writeAll(
        _ bytes: RawSpan, _ call: String, _ body: (UnsafeRawBufferPointer, Int) -> Int
    ) throws(SystemError) {
        try bytes.withUnsafeBytes { all throws(SystemError) in
            var written = 0
            while written < all.count {
                written += try SystemError.check(call, path) {
                    body(UnsafeRawBufferPointer(rebasing: all[written...]), written)
                }
            }
        }
    }

    /// Throws an error that `isReaderGone` where this is a pipe or socket that no process reads any more.
    package func checkReader() throws(SystemError) {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        poll(&state, 1, 0)
        guard Int32(state.revents) & (POLLERR | POLLHUP) == 0 else { throw SystemError(call: "poll", code: EPIPE) }
    }

    /// Shortens the file, or extends it with zeros.
    package func truncate(to size: Int64) throws(SystemError) {
        try SystemError.check("ftruncate", path) { ftruncate(descriptor, off_t(size)) }
    }

    /// Returns when content and size are durable (`fdatasync`); a failed call must not be repeated.
    package func synchronize() throws(SystemError) {
        try SystemError.check("fdatasync", path) { fdatasync(descriptor) }
    }

    /// Returns when the times are durable as well (`fsync`); a failed call must not be repeated.
    package func synchronizeAll() throws(SystemError) {
        try SystemError.check("fsync", path) { fsync(descriptor) }
    }

    /// Sets the time of the last change without altering the time of the last access.
    package func setModified(_ time: FileTime) throws(SystemError) {
        // UTIME_OMIT for the access time.
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2), time.timespec]
        try SystemError.check("futimens", path) { futimens(descriptor, times) }
    }
}

extension OpenFile {
    /// Tells the kernel that the file will be read once from beginning to end.
    package func adviseSequential() {
        _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    /// Tells the kernel that this range, or the whole file, need not stay in the page cache.
    package func adviseDone(at offset: Int64 = 0, count: Int64 = 0) {
        _ = posix_fadvise(descriptor, off_t(offset), off_t(count), POSIX_FADV_DONTNEED)
    }
}
