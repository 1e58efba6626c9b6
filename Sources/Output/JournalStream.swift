package import Platform

/// Whether a stream ends in systemd's journal, which shows priorities and dates by itself.
package enum JournalStream {
    /// Compares the value of JOURNAL_STREAM, `device:inode` in decimals, with the stream's (sd-daemon(3)).
    package static func isNamed(by variable: String?, _ stream: FileFacts?) -> Bool {
        guard let variable, let stream else { return false }
        return variable == "\(stream.device):\(stream.inode)"
    }
}
