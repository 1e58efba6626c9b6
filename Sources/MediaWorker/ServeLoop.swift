import Glibc
import Media
import MediaModel
import Platform

/// `gallery-sync-media serve`: a confined process that answers jobs from an inherited socket.
enum ServeLoop {
    /// The descriptor under which the agent passes the socket.
    private static let socketNumber: Int32 = 3

    /// The limits that the agent sets on the command line.
    private struct Order {
        var limits = Confinement.Limits()
        /// Whether to run without limits and filter, because sanitizers do not work within them.
        var isSanitizer = false

        init(_ words: [String]) {
            isSanitizer = words.contains("--sanitizer")
            func number(_ option: String) -> Int? {
                words.firstIndex(of: option).flatMap { words.indices.contains($0 + 1) ? Int(words[$0 + 1]) : nil }
            }
            limits.data = number("--memory") ?? limits.data
            limits.processorTime = number("--processor-time") ?? limits.processorTime
        }
    }

    /// Confines the process, then serves until the agent closes the socket; returns the exit code.
    static func run(_ words: [String]) -> Int32 {
        let order = Order(words)
        Examiner.prepare()
        MemoryTrap.set()
        do {
            // Refusals are ignored here, because `config check` runs `walls` and reports them.
            if !order.isSanitizer {
                _ = try Confinement.apply(order.limits, keeping: Examiner.files.map { FilePath($0) })
            }
            try serve(MessageSocket(descriptor: socketNumber, acceptsFiles: true), order)
            return 0
        } catch {
            MediaWorker.note("gallery-sync-media: \(error)")
            return MediaJob.serveFailure
        }
    }

    private static func serve(_ socket: MessageSocket, _ order: Order) throws {
        while let message = try socket.receive() {
            let job = try MediaJob(message: message.bytes)
            // The kernel drops the file if this process may open no more files.
            guard let file = message.file else { throw SystemError(call: "recvmsg", code: EMFILE) }
            if !order.isSanitizer {
                try Confinement.allowProcessorTime(seconds: job.processorTime(of: order.limits.processorTime))
            }
            MemoryTrap.forget()
            try socket.send(Examiner.examine(file.descriptor, job).encoded())
        }
    }
}
