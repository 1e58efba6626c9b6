import FoundationEssentials
import Platform
import Supabase

/// `gallery-sync serve` as a process of its own.
struct LocalServer: Sendable {
    let url: String
    let key: String
    let data: FilePath
    /// The server's process id.
    let process: Int32

    /// The address and key file that a starting server prints.
    private struct Announcement: Decodable {
        let url: String
        let serviceKeyFile: String
    }

    /// Calls `body` while a server on `data` runs, and returns its value; ends the server in any case.
    ///
    /// - Parameters:
    ///   - faults: Rules for injected faults, as `serve --faults` reads them.
    ///   - looks: How often to look for the server's announcement, ten milliseconds apart.
    static func using<Value>(
        _ bench: Workbench, data: FilePath, faults: String? = nil, looks: Int = 1_000,
        _ body: (LocalServer) async throws -> Value
    ) async throws -> Value {
        try Directory.create(at: data)
        let announcement = data.appending("announcement.json")
        var words = ["serve", "--json", "--data", data.display, "--state-dir", data.display]
        if let faults {
            let rules = data.appending("faults.json5")
            try OpenFile(creating: rules).append(Array(faults.utf8))
            words += ["--faults", rules.display]
        }
        let program = try bench.agent()
        let process = try Execution(program, words).start(output: try OpenFile(creating: announcement))
        do {
            for _ in 0..<looks where process.residentBytes != nil {
                if let server = try LocalServer(announcement, data: data, process: process.id) {
                    let value = try await body(server)
                    await stop(process)
                    return value
                }
                try await Task.sleep(for: .milliseconds(10))
            }
            guard process.residentBytes == nil else { throw ServerSilent() }
            throw UnsuccessfulRun(program: program, exit: await process.exit)
        } catch {
            await stop(process)
            throw error
        }
    }

    /// The server that an announcement describes; `nil` if it is not complete yet.
    private init?(_ announcement: FilePath, data: FilePath, process: Int32) throws {
        let bytes = try OpenFile(reading: announcement).readAll()
        guard bytes.last == UInt8(ascii: "\n") || bytes.last == UInt8(ascii: "}"),
            let told = try? JSONDecoder().decode(Announcement.self, from: Data(bytes))
        else { return nil }
        url = told.url
        let secret = try OpenFile(reading: FilePath(told.serviceKeyFile)).readAll(limit: 1 << 16)
        key = String(decoding: secret.filter { $0 > 0x20 }, as: UTF8.self)
        self.data = data
        self.process = process
    }

    private static func stop(_ process: ChildProcess) async {
        process.kill(.terminate)
        _ = await process.exit
    }

    /// The number of requests that a server on `data` has answered.
    static func requests(in data: FilePath) throws -> Int {
        try OpenFile(reading: data.appending("requests.jsonl")).readAll().count { $0 == UInt8(ascii: "\n") }
    }
}

/// The server was started and printed no address.
struct ServerSilent: Error, CustomStringConvertible {
    var description: String { "gallery-sync serve did not say where it is" }
}
