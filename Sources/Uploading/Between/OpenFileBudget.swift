/// How many files the stages may handle at once within the process's limit of open files.
package struct OpenFileBudget: Hashable, Sendable {
    /// Assets from Identify to Enqueue: each is open, and so are directories above it while it is opened.
    package let reading: Int
    /// Uploads: the source, and with the embedded server both ends of the connection and the file it writes.
    package let sending: Int

    private static let filesOfReading = 3
    private static let filesOfSending = 6
    /// For walks, the library's journals, workers and connections to the control socket.
    private static let spare = 16

    /// Shares the files that a limit leaves between the two, at least one each.
    ///
    /// - Parameters:
    ///   - limit: Files that may be open.
    ///   - inUse: Files that are open before the stages begin.
    package init(limit: Int, inUse: Int, reading: Int, sending: Int) {
        let free = max(0, limit - inUse - Self.spare)
        self.sending = min(max(1, free / 2 / Self.filesOfSending), sending)
        self.reading = min(max(1, (free - self.sending * Self.filesOfSending) / Self.filesOfReading), reading)
    }
}
