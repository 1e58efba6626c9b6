import Formats
import ObjectStore
import Platform
import Serving

/// `requests.jsonl`: one line per request that has ended, written in batches by its own thread.
struct RequestLog: Sendable {
    private let journal: Journal
    private let clock: @Sendable () -> Int64

    init(_ path: FilePath, clock: @escaping @Sendable () -> Int64) throws(SystemError) {
        journal = try Journal(Unsynchronized(file: OpenFile(appending: path)))
        self.clock = clock
    }

    /// The log may lose its last lines in a power cut, so it never waits for the disk.
    private struct Unsynchronized: DiskFile {
        let file: OpenFile
        func write(_ bytes: [UInt8]) throws(SystemError) { try file.append(bytes) }
        func synchronize() {}
    }

    func note(_ exchange: ExchangeSummary) {
        let line: JSON = [
            "at": .text(ServerTime(milliseconds: clock()).iso8601), "method": .text(exchange.method),
            "path": .text(Self.redacted(exchange.target)), "status": .integer(Int64(exchange.status)),
            "bytesIn": .integer(exchange.received), "bytesOut": .integer(exchange.sent),
        ]
        _ = journal.append(line.bytes)
    }

    /// Returns when every line is in the file.
    func close() async {
        try? await journal.close()
    }

    /// The target without a signed URL's token, which would let every reader of the log open the object.
    static func redacted(_ target: String) -> String {
        // Another value may contain the name, so each item is looked at; and the name may be escaped.
        target.split(separator: "&", omittingEmptySubsequences: false).map { piece in
            if let name = piece.firstRange(of: "token=") { return piece[..<name.upperBound] + "…" }
            let text = PercentEncoding.decodedLeniently(Array(piece.utf8))
            guard String(decoding: text, as: UTF8.self).contains("token="), let sign = piece.firstIndex(of: "=")
            else { return String(piece) }
            return piece[...sign] + "…"
        }.joined(separator: "&")
    }
}
