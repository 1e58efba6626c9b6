import FoundationEssentials
import Platform
import Supabase

/// `gallery-sync serve` as a process of its own.
struct LocalServer: Sendable {
    let url: String
    let key: String
    let data: FilePath
    private let process: ChildProcess

    /// The address and key file that a starting server prints.
    private struct Announcement: Decodable {
        let url: String
        let serviceKeyFile: String
    }

    /// Starts a server on `data`, and waits until it has printed its address.
    ///
    /// - Parameter faults: Rules for injected faults, as `serve --faults` reads them.
    init(on bench: Workbench, data: FilePath, faults: String? = nil) async throws {
        try Directory.create(at: data)
        let announcement = data.appending("announcement.json")
        var words = ["serve", "--json", "--data", data.display, "--state-dir", data.display]
        if let faults {
            let rules = data.appending("faults.json5")
            try OpenFile(creating: rules).append(Array(faults.utf8))
            words += ["--faults", rules.display]
        }
        process = try Execution(try bench.agent(), words).start(output: try OpenFile(creating: announcement))
        let told: Announcement = try await Self.patiently {
            let bytes = try OpenFile(reading: announcement).readAll()
            return bytes.last == UInt8(ascii: "\n") || bytes.last == UInt8(ascii: "}")
                ? try? JSONDecoder().decode(Announcement.self, from: Data(bytes)) : nil
        }
        url = told.url
        let secret = try OpenFile(reading: FilePath(told.serviceKeyFile)).readAll(limit: 1 << 16)
        key = String(decoding: secret.filter { $0 > 0x20 }, as: UTF8.self)
        self.data = data
    }

    /// What `look` finds; throws `ServerSilent` after ten seconds without a result.
    private static func patiently<Value>(_ look: () throws -> Value?) async throws -> Value {
        for _ in 0..<1000 {
            if let value = try look() { return value }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw ServerSilent()
    }

    /// The number of requests it has answered.
    func requests() throws -> Int {
        try OpenFile(reading: data.appending("requests.jsonl")).readAll().count { $0 == UInt8(ascii: "\n") }
    }

    /// Ends the server and waits for its exit.
    func stop() async {
        process.kill(.terminate)
        _ = await process.exit
    }
}

/// The server was started and printed no address.
struct ServerSilent: Error, CustomStringConvertible {
    var description: String { "gallery-sync serve did not say where it is" }
}
