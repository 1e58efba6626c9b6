import Catalog
import Configuration
import Foundation
import Output
import Platform
import Records
import TestSupport
import Testing
import Text

@testable import CommandLine
@testable import GallerySync

@Suite struct RunTests {
    @Test(arguments: [
        ("help", ExitCode.success), ("help sync", .success), ("version", .success), ("snyc", .usage),
        ("sync --frobnicate", .usage), ("config show", .success), ("config show --profile ..", .usage),
        ("config show --profile nas", .configuration), ("config show --config missing.json5", .configuration),
        ("config show --set retry.attempts=0", .usage), ("config check", .configuration),
        ("config check --local", .success), ("init --yes", .usage), ("init", .usage),
    ])
    func exitCodes(_ line: String, _ code: ExitCode) async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        #expect(await fixture.run(line) == code)
    }

    @Test(arguments: [
        (
            "an error names the program and what to do next", "snyc", "",
            """
            gallery-sync: Unknown command "snyc". Did you mean "sync"?
            Run "gallery-sync help" to see what can be written.

            """
        ),
        (
            "under JSON it is one line of it", "snyc --json", "",
            #"{"exit":2,"message":"Unknown command \"snyc\". Did you mean \"sync\"?","#
                + #""next":"Run \"gallery-sync help\" to see what can be written.","schema":"gallery-sync/error/1"}"#
                + "\n"
        ),
        (
            "so is one of a command", "reupload Pictures --json --state-dir state", "",
            #"{"exit":78,"message":"No destination. Run \"gallery-sync init\", or add --local to keep a second copy "#
                + #"on this computer only.","next":"Mend what the message names; \"gallery-sync doctor\" looks at all of it.","#
                + #""schema":"gallery-sync/error/1"}"# + "\n"
        ),
        ("the version", "version", "gallery-sync \(Version.text)\n", ""),
        (
            "the version as a document", "version --json",
            "{\"schema\":\"gallery-sync/version/1\",\"version\":\"\(Version.text)\"}\n", ""
        ),
    ])
    func resultsAndErrorsHaveStreamsOfTheirOwn(
        _ row: (why: String, line: String, results: String, notes: String)
    ) async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        _ = await fixture.run(row.line)
        #expect(try fixture.results == row.results, "\(row.why)")
        #expect(try fixture.notes == row.notes, "\(row.why)")
    }

    @Test func anErrorNeverShowsASecret() async throws {
        try await CommandFixture.with(environment: ["GALLERY_SYNC_KEY": "hunter2hunter2"]) { fixture async throws in
            _ = await fixture.run("hunter2hunter2")
            #expect(try fixture.notes.contains("Unknown command \"…\"."))
        }
    }

    @Test(
        arguments: [
            (UsageError(message: "") as any Error, ExitCode.usage),
            (SettingsError(source: "x", reason: "y"), .configuration),
            (SystemError(call: "write", code: 28), .disk), (SystemError(call: "read", code: 5), .disk),
            (SystemError(call: "open", code: 13), .disk), (SystemError(call: "write", code: 32), .readerGone),
            (CancellationError(), .internalError),
        ] as [(any Error, ExitCode)])
    func errorsHaveCodes(_ error: any Error, _ code: ExitCode) {
        #expect(ExitCode(error) == code)
    }

    @Test(arguments: [
        (Signal.interrupt, "Stopping; 5 s for what runs. Ctrl-C again stops at once."),
        (.terminate, "Stopping; 5 s for what runs."),
    ])
    func theFirstSignalIsAnswered(_ signal: Signal, _ sentence: String) {
        #expect(Run.stopping(signal) == sentence)
    }

    @Test func codesAreThoseThatScriptsKnow() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 5, 6, 7, 11, 74, 78, 130, 141, 143])
    }

    @Test(
        arguments: zip(
            Ending.Kind.allCases,
            [
                .success, .someFailed, .temporary, .denied, .full, .usage, .configuration, .interrupted, .disk,
                .internalError,
            ]
                as [ExitCode]))
    func endingsHaveCodes(_ kind: Ending.Kind, _ code: ExitCode) {
        #expect(ExitCode(kind) == code)
    }
}
