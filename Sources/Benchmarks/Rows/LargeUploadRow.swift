import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Queue
import Roots
import Supabase
import Transfer
import Uploading

/// One large file in resumable pieces, the upload stage only, beside curl, which sends it in one request.
enum LargeUploadRow {
    static let benchmark = Benchmark("large-upload", "one large upload in pieces, upload stage alone") { bench in
        let file = try await LargeFile(bench.scale.largeBytes, on: bench)
        return try await [
            measurement(file, .loopback, rounds: bench.scale.rounds, on: bench),
            measurement(file, .distant, rounds: 1, on: bench),
        ]
    }

    /// The connection between client and server.
    private enum Line {
        case loopback
        /// 50 ms of latency at 100 Mbit/s, simulated by the server.
        case distant

        var name: String { self == .loopback ? "loopback" : "50 ms, 100 Mbit/s" }
        var goal: Goal { .atLeast(self == .loopback ? 0.95 : 0.9) }
        var faults: String? {
            self == .loopback ? nil : "{rules: [{latency: 0.05}, {bandwidth: 12500000}]}"
        }
    }

    private static func measurement(
        _ file: LargeFile, _ line: Line, rounds: Int, on bench: Workbench
    ) async throws -> Measurement {
        let client = HTTPClient()
        defer { client.close() }
        let data = try await bench.fresh(.server)
        let taken = try await LocalServer.using(bench, data: data, faults: line.faults) { server in
            let storage = StorageClient(
                endpoint: StorageEndpoint(base: server.url), credentials: StorageCredentials(key: server.key),
                transport: client)
            try await storage.createBucket("media")
            let curl = bench.programs.path(of: .curl)
            return try await Rounds(count: rounds).medians(
                ours: { try await send(file, to: storage, on: bench) },
                theirs: curl.map { curl in { try await send(file, to: server, with: curl) } })
        }
        return Measurement(
            "\(Figure(Double(file.size), .bytes).text) in pieces, \(line.name)",
            Figure(Double(file.size) / taken.ours, .bytesPerSecond), beside: .curl,
            taken.theirs.map { Figure(Double(file.size) / $0, .bytesPerSecond) }, goal: line.goal)
    }

    /// The seconds that the upload stage takes for a new object.
    private static func send(_ file: LargeFile, to storage: StorageClient, on bench: Workbench) async throws -> Double {
        let state = try await bench.fresh(.state)
        let library = try Library(path: state.appending("library.sqlite"))
        let queue = try UploadQueue(store: try QueueStore(state: state), now: Date())
        let known = try await library.root(at: file.path.parent).root
        let key = ObjectKey(root: known.name, path: FilePath(Randomness.bytes(8).hexadecimal + ".mp4"))
        let facts = try FileFacts(of: file.path)
        let item = Item(
            root: known.name, path: FilePath(bytes: file.path.name), role: .original, contentType: "video/mp4",
            size: file.size, sha256: file.sha256, modifiedAt: facts.modifiedAt, bucket: "media", objectKey: key,
            now: Date())
        let sender = Sender(
            storage: storage, library: library, queue: queue,
            destination: Destination(endpoint: storage.endpoint, bucket: "media", prefix: "", isLocal: false),
            roots: RootRegistry([Root(known: known)]), cache: ThumbnailCache(folder: file.path.parent),
            settings: Settings().upload, clock: { Date() })
        let start = ContinuousClock.now
        guard let claimed = item.claimed(at: Date()), case .accepted = try await sender.send(claimed) else {
            throw NotSent()
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// The seconds that curl takes for the same file.
    private static func send(_ file: LargeFile, to server: LocalServer, with curl: FilePath) async throws -> Double {
        let url = "\(server.url)/object/media/\(Randomness.bytes(8).hexadecimal).mp4"
        let words = ["-T", file.path.display, "-X", "POST", "--no-progress-meter", "--fail", "-H"]
        let headers = ["Authorization: Bearer \(server.key)", "-H", "Content-Type: video/mp4"]
        return try await Execution(curl, words + headers + [url]).time()
    }

    private struct NotSent: Error, CustomStringConvertible {
        let description = "the upload stage did not send the file"
    }
}

/// A file of random bytes, alone in its folder.
private struct LargeFile: Sendable {
    let path: FilePath
    let size: Int64
    let sha256: String

    init(_ size: Int64, on bench: Workbench) async throws {
        path = try await bench.fresh(.uploads).appending("large.mp4")
        self.size = size
        let file = try OpenFile(creating: path)
        let digest = SHA256()
        let noise = Randomness.bytes(8 << 20)
        var left = size
        while left > 0 {
            let piece = Array(noise.prefix(Int(min(left, Int64(noise.count)))))
            try file.append(piece)
            digest.update(piece)
            left -= Int64(piece.count)
        }
        sha256 = digest.finish().hexadecimal
    }
}
