/// What happened below a watched root; paths are relative to it.
package enum WatchEvent: Hashable, Sendable {
    /// A file was closed after writing, renamed in, or got another time or other rights.
    case written(FilePath)
    /// A file appeared, or was written to, and is still open.
    case modified(FilePath)
    /// A file was deleted or renamed away.
    case removed(FilePath)
    /// A directory was made, renamed in or became readable; it is watched already, so a scan of it misses nothing.
    case directoryAppeared(FilePath)
    /// A directory was deleted or renamed away, with all in it.
    case directoryVanished(FilePath)
    /// Events were dropped: only a scan tells what happened; what is there now is watched.
    case overflow
    /// A directory cannot be watched; with `ENOSPC`, told once, nor can those found later.
    case unwatched(FilePath, SystemError)
    /// The root, or a directory it lies in, was deleted, renamed or unmounted; no event follows.
    case rootVanished
}
