import Platform
import Supabase
import Transfer

/// Many small uploads to a server in its own process, verified and durable, beside curl, which only sends.
enum UploadRow {
    static let benchmark = Benchmark("uploads", "uploads of 64 KiB to a server in its own process") { bench in
        let count = bench.scale.uploads
        let files = try await files(count, on: bench)
        let log = RequestCount()
        let curl = bench.programs.path(of: .curl)
        let taken = try await Rounds(count: bench.scale.rounds).medians(
            ours: {
                let (seconds, requests) = try await sync(files, on: bench)
                await log.set(requests)
                return seconds
            },
            theirs: curl.map { curl in { try await send(files, count, with: curl, on: bench) } })
        let bytes = Double(count * size)
        return [
            Measurement(
                "\(Figure.digits(Double(count))) uploads of 64 KiB", Figure(bytes / taken.ours, .bytesPerSecond),
                beside: .curl, taken.theirs.map { Figure(bytes / $0, .bytesPerSecond) }, goal: .atLeast(1)),
            Measurement(
                "the same: requests", Figure(Double(await log.requests) / Double(count), .requestsPerObject),
                goal: .atMost(1.1)),
        ]
    }

    private static let size = 64 << 10

    private actor RequestCount {
        private(set) var requests = 0
        func set(_ requests: Int) { self.requests = requests }
    }

    /// Writes the files, all with different content.
    private static func files(_ count: Int, on bench: Workbench) async throws -> FilePath {
        let folder = try await bench.fresh(.uploads)
        let noise = Randomness.bytes(size)
        for number in 0..<count {
            let path = folder.appending(GalleryFiles.path(number))
            if number.isMultiple(of: 100) { try Directory.create(at: path.parent) }
            let head = GalleryFiles.content(number)
            try OpenFile(creating: path).write(head + noise.dropFirst(head.count), at: 0)
        }
        return folder
    }

    /// The seconds of a whole first `sync`, and the number of requests that the server answered.
    private static func sync(_ files: FilePath, on bench: Workbench) async throws -> (seconds: Double, requests: Int) {
        let state = try await bench.unused(.state)
        let data = try await bench.unused(.server)
        let seconds = try await LocalServer.using(bench, data: data) { server in
            try await Execution(
                try bench.agent(),
                [
                    "sync", files.display, "--quiet", "--state-dir", state.display, "--set",
                    "thumbnails.enabled=false", "--set", "destination.url=\(server.url)/",
                ], variables: ["GALLERY_SYNC_KEY": server.key]
            ).time()
        }
        return (seconds, try LocalServer.requests(in: data))
    }

    /// The seconds that curl takes for the same files, eight in parallel.
    private static func send(
        _ files: FilePath, _ count: Int, with curl: FilePath, on bench: Workbench
    ) async throws -> Double {
        let client = HTTPClient()
        defer { client.close() }
        return try await LocalServer.using(bench, data: try await bench.unused(.server)) { server in
            try await StorageClient(
                endpoint: StorageEndpoint(base: server.url), credentials: StorageCredentials(key: server.key),
                transport: client
            ).createBucket("media")
            let list = server.data.appending("curl.config")
            try OpenFile(creating: list).append(Array(configuration(files, count, server).utf8))
            let words = ["--parallel", "--parallel-max", "8", "--no-progress-meter", "--fail"]
            return try await Execution(curl, words + ["--config", list.display]).time()
        }
    }

    /// The configuration for curl: one URL for each file, and the same headers for all.
    private static func configuration(_ files: FilePath, _ count: Int, _ server: LocalServer) -> String {
        let head = [
            "request = \"POST\"", "header = \"Authorization: Bearer \(server.key)\"",
            "header = \"Content-Type: image/jpeg\"",
        ]
        let each = (0..<count).map { number in
            let path = GalleryFiles.path(number)
            return "url = \"\(server.url)/object/media/\(path)\"\nupload-file = \"\(files.appending(path))\""
        }
        return (head + each).joined(separator: "\n") + "\n"
    }
}
