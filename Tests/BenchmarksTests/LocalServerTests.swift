import Platform
import TestSupport
import Testing

@testable import Benchmarks

/// A server in a process of its own has ended whatever came of the measurement.
@Suite struct LocalServerTests {
    private struct Stop: Error {}

    private static func isRunning(_ process: Int32) -> Bool { ProcessGauge(process).peakBytes != nil }

    @Test func itsAddressAndItsKeyAreRead() async throws {
        try await Bench.with(ours: ["gallery-sync": Script.server()]) { bench in
            let data = bench.folder.appending("data")
            let process = try await LocalServer.using(bench.bench, data: data) { server in
                #expect(server.url == "http://127.0.0.1:9" && server.key == "s3cret" && server.data == data)
                #expect(Self.isRunning(server.process))
                return server.process
            }
            #expect(try bench.number("pid") == process)
            #expect(!Self.isRunning(process))
        }
    }

    @Test func anErrorEndsItToo() async throws {
        try await Bench.with(ours: ["gallery-sync": Script.server()]) { bench in
            await #expect(throws: Stop.self) {
                try await LocalServer.using(bench.bench, data: bench.folder.appending("data")) { _ in throw Stop() }
            }
            let process = try bench.number("pid")
            #expect(process > 1 && !Self.isRunning(process))
        }
    }

    /// One that says nothing, half a document, another document, or names a key that is not there.
    @Test(arguments: ["", #"{"url":"#, #"{"port":9}"#])
    func oneThatDoesNotSayWhereItIsIsEnded(announcement: String) async throws {
        try await Bench.with(ours: ["gallery-sync": Script.server(announcement)]) { bench in
            await #expect(throws: ServerSilent.self) {
                try await LocalServer.using(bench.bench, data: bench.folder.appending("data"), looks: 20) { _ in }
            }
            let process = try bench.number("pid")
            #expect(process > 1 && !Self.isRunning(process))
        }
    }

    @Test func oneWhoseKeyIsNotThereIsEnded() async throws {
        let script = Script.server(#"{"url":"http://127.0.0.1:9","serviceKeyFile":"/nowhere/key"}"#)
        try await Bench.with(ours: ["gallery-sync": script]) { bench in
            await #expect(throws: SystemError.self) {
                try await LocalServer.using(bench.bench, data: bench.folder.appending("data")) { _ in }
            }
            let process = try bench.number("pid")
            #expect(process > 1 && !Self.isRunning(process))
        }
    }

    @Test func oneThatEndsAtOnceIsNotWaitedFor() async throws {
        try await Bench.with(ours: ["gallery-sync": "#!/bin/sh\nexit 78\n"]) { bench in
            do {
                // So many looks would take a day.
                try await LocalServer.using(bench.bench, data: bench.folder.appending("d"), looks: 10_000_000) { _ in }
                Issue.record("it runs")
            } catch let error as UnsuccessfulRun {
                #expect("\(error)".hasSuffix("own/gallery-sync ended with exited(78)"))
            }
        }
    }

    @Test func itsFaultsAreHandedOver() async throws {
        let script = "#!/bin/sh\nshift 6\necho \"$@\" > \"${0%/*}/../words\"\nexit 1\n"
        try await Bench.with(ours: ["gallery-sync": script]) { bench in
            let data = bench.folder.appending("data")
            await #expect(throws: UnsuccessfulRun.self) {
                try await LocalServer.using(bench.bench, data: data, faults: "{rules: []}") { _ in }
            }
            let words = try OpenFile(reading: bench.folder.appending("words")).readAll()
            #expect(String(decoding: words, as: UTF8.self) == "--faults \(data)/faults.json5\n")
            #expect(try OpenFile(reading: data.appending("faults.json5")).readAll() == Array("{rules: []}".utf8))
        }
    }

    @Test(arguments: [("", 0), ("{}\n", 1), ("{}\n{}\n{\"cut", 2)])
    func whatItAnsweredIsCountedByLines(log: String, count: Int) async throws {
        try await FileTree().withDirectory { data in
            #expect(throws: SystemError.self) { try LocalServer.requests(in: data) }
            try OpenFile(creating: data.appending("requests.jsonl")).append(Array(log.utf8))
            #expect(try LocalServer.requests(in: data) == count)
        }
    }
}
