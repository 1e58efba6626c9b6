import Desktop
import Foundation
import Output
import TestSupport
import Testing

@testable import GallerySync

@Suite struct ServiceUnitTests {
    /// The value of a key of `config/gallery-sync.service`.
    static func value(_ key: String) throws -> String {
        let text = try Project.text(of: "config/gallery-sync.service")
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(key + "=") })
        return String(line.dropFirst(key.count + 1))
    }

    static func codes(_ key: String) throws -> Set<Int32> {
        Set(try value(key).split(separator: " ").compactMap { Int32($0) })
    }

    @Test func someFailedAndSignalsAreNoFailure() throws {
        let codes: [ExitCode] = [.someFailed, .interrupted, .terminated]
        #expect(try Self.codes("SuccessExitStatus") == Set(codes.map(\.rawValue)))
    }

    @Test func whatAHumanMustMendIsNotStartedAgain() throws {
        let codes: [ExitCode] = [.usage, .denied, .full, .locked, .configuration]
        #expect(try Self.codes("RestartPreventExitStatus") == Set(codes.map(\.rawValue)))
    }

    @Test func itStepsBehindOtherPrograms() throws {
        #expect(try Self.value("Nice") == "10")
        #expect(try Self.value("IOSchedulingClass") == "idle")
    }

    @Test func itIsTheOneThatTheProgramWrites() throws {
        #expect(try Project.text(of: "config/gallery-sync.service") == WatchUnit.packaged.text)
    }

    /// Such targets and namespaces are the system's: a user's unit that names them waits for nothing, or fails.
    @Test(arguments: ["network-online", "PrivateTmp", "ProtectSystem", "ProtectHome", "PrivateDevices"])
    func itNamesNothingThatAUserUnitLacks(_ word: String) {
        #expect(!WatchUnit.packaged.text.contains(word))
    }

    @Test func itsCommandParses() throws {
        let words = try Self.value("ExecStart").split(separator: " ").dropFirst().joined(separator: " ")
        #expect(try InvocationTests.invocation(words).command as? WatchRequest == WatchRequest())
    }
}
