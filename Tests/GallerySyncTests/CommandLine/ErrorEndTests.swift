import Configuration
import Control
import Foundation
import Platform
import Records
import TestSupport
import Testing
import Transfer

@testable import CommandLine
@testable import Output

/// With which code and words the program ends because of an error.
@Suite struct ErrorEndTests {
    private struct Mistake: Error {}

    private static func system(_ code: Int32) -> SystemError { SystemError(call: "write", code: code, path: "/a") }

    @Test(
        arguments: [
            Fact("a wrong word", UsageError(message: "No."), .usage),
            Fact("a wrong setting", SettingsError(source: "a", reason: "is wrong."), .configuration),
            Fact(
                "a wrong option", SettingsError(source: "--a", reason: "is wrong.", isTyped: true),
                .usage),
            Fact("a refusal of what is not possible", Refusal(.usage("s")), .usage),
            Fact("one of the destination", Refusal(.notPermitted("s")), .denied),
            Fact("one without room", Refusal(.full("s")), .full),
            Fact("one for now", Refusal(.temporary("s")), .temporary),
            Fact("one for a human", Refusal(.needsHuman("s")), .configuration),
            Fact("a signal", Refusal(.interrupted(2)), .interrupted),
            Fact("the terminal went away", Refusal(.interrupted(1)), .terminated),
            Fact("another instance", LockHeld(processID: 7), .locked),
            Fact("one that is not known", LockHeld(processID: nil), .locked),
            Fact("the reader went away", system(32), .readerGone), Fact("the disk is full", system(28), .disk),
            Fact("the disk is broken", system(5), .disk), Fact("not permitted by the system", system(13), .disk),
            Fact("no answer", TransferError(.lost, "s", mayHaveArrived: true), .temporary),
            Fact("a mistake of ours", Mistake(), .internalError),
        ] as [Fact<any Error, ExitCode>])
    func anErrorHasACode(_ row: Fact<any Error, ExitCode>) {
        #expect(ExitCode(row.input) == row.output)
        // What programs read agrees with the code they get.
        #expect(ErrorDocument(row.input).exit == row.output.rawValue)
    }

    @Test(
        arguments: [
            Fact("a port of another program", (98, 8_000), "Port 8000 is taken by another program"),
            Fact("one of another program, of the system's", (98, 80), "Port 80 is taken by another program"),
            Fact("a port of the system", (13, 80), "Port 80 is not yours to take"),
            Fact("one that is not permitted", (1, 443), "Port 443 is not yours to take"),
            // Where any port would do, none of them is at fault.
            Fact("any port", (13, 0), nil), Fact("no descriptor", (24, 80), nil), Fact("no address", (99, 80), nil),
        ] as [Fact<(code: Int32, port: UInt16), String?>])
    func aPortThatCannotBeHadIsNamed(_ row: Fact<(code: Int32, port: UInt16), String?>) {
        let refusal = Refusal(listening: SystemError(call: "bind", code: row.input.code), on: row.input.port)
        #expect((refusal != nil) == (row.output != nil))
        guard let refusal, let words = row.output else { return }
        #expect(refusal.description.hasPrefix(words))
        #expect(ExitCode(refusal) == .usage)
    }

    /// What a lock's holder is called, also where it has not said who it is.
    @Test(arguments: [
        (nil, "This profile's state is held by another process."), (7, "This profile's state is held by process 7."),
    ])
    func aLockHasAHolder(_ processID: Int32?, _ words: String) {
        let next = " Stop that one, or wait until it ends, and run this again."
        #expect("\(LockHeld(processID: processID))" == words + next)
    }

    /// The host in the address of a socket is a placeholder, and no sentence shows it.
    @Test(arguments: [
        (
            "Cannot reach http://agent: connection refused",
            "Cannot reach the running agent, process 7,: connection refused"
        ),
        ("http://agent did not answer in time", "the running agent, process 7, did not answer in time"),
        ("The request was cancelled.", "The request was cancelled."),
    ])
    func aSilentAgentIsNamed(_ said: String, _ words: String) {
        let error = AgentSilent(TransferError(.lost, said, mayHaveArrived: true), processID: 7)
        #expect("\(error)" == "\(words). Run it again; if that stays so, stop that process.")
        #expect(ExitCode(error) == .temporary)
    }

    /// A URL with a path is the storage's own; the path of a project's storage is added to its address.
    @Test(arguments: [
        ("https://abc.supabase.co", "https://abc.supabase.co/storage/v1"),
        ("https://abc.supabase.co/", "https://abc.supabase.co/storage/v1"),
        ("https://abc.supabase.co//", "https://abc.supabase.co/storage/v1"),
        ("http://127.0.0.1:54321", "http://127.0.0.1:54321/storage/v1"),
        ("http://[::1]:54321/", "http://[::1]:54321/storage/v1"), ("https://nas", "https://nas/storage/v1"),
        ("https://abc.supabase.co/storage/v1", "https://abc.supabase.co/storage/v1"),
        ("https://abc.supabase.co/storage/v1/", "https://abc.supabase.co/storage/v1/"),
        ("https://nas/storage", "https://nas/storage"), ("https://nas/a//", "https://nas/a//"),
        ("https://nas//a", "https://nas//a"),
    ])
    func anAddressWithoutAPathIsAProjects(_ url: String, _ base: String) {
        #expect(Workplace.base(of: url) == base)
    }
}
