/// What happened below a watched root; paths are relative to it.
package enum WatchEvent: Hashable, Sendable {
    /// A file was closed after writing, was renamed to this name, or its times or rights changed.
    case written(FilePath)
    /// A file was created or written to, and is still open.
    case modified(FilePath)
    /// A file was deleted or renamed away.
    case removed(FilePath)
    /// A directory was created, renamed to this name or became readable; a scan of it now misses nothing.
    case directoryAppeared(FilePath)
    /// A directory was deleted or renamed away, with everything in it.
    case directoryVanished(FilePath)
    /// Events were dropped: only a scan can tell what happened; everything that exists now is watched.
    case overflow
    /// A directory cannot be watched; with `ENOSPC`, reported once, nor can those found later.
    case unwatched(FilePath, SystemError)
    /// The root, or a directory that contains it, was deleted, renamed or unmounted; no event follows.
    case rootVanished
}
