/// What happened below a watched root; paths are relative to it.
package enum WatchEvent: Hashable, Sendable {
    /// A file was closed after writing, or renamed in.
    case written(FilePath)
    /// A file appeared or was written to, and is still open.
    case modified(FilePath)
    /// A file was deleted or renamed away.
    case removed(FilePath)
    /// A directory was made or renamed in; it is watched already, so a scan of it misses nothing.
    case directoryAppeared(FilePath)
    /// A directory was deleted or renamed away, with all in it.
    case directoryVanished(FilePath)
    /// The kernel dropped events: only a scan tells what happened.
    case overflow
    /// A directory cannot be watched, most likely because the user's watches are used up (`ENOSPC`).
    case unwatched(FilePath, SystemError)
    /// The root itself was deleted, renamed or unmounted; no event follows.
    case rootVanished
}
