import Desktop
import Foundation
import Output
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

@Suite struct ServiceUnitTests {
    /// The value of a key of `config/gallery-sync.service`.
    static func value(_ key: String) throws -> String {
        let text = try Project.text(of: "config/gallery-sync.service")
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(key + "=") })
        return String(line.dropFirst(key.count + 1))
    }

    @Test(
        "some failed and signals are no failure, and what a human must mend is not started again",
        arguments: [
            ("SuccessExitStatus", [.someFailed, .interrupted, .terminated]),
            ("RestartPreventExitStatus", [.usage, .denied, .full, .locked, .configuration]),
        ] as [(String, [ExitCode])])
    func exitCodesMeanTheSameToSystemd(_ key: String, _ codes: [ExitCode]) throws {
        let said = Set(try Self.value(key).split(separator: " ").compactMap { Int32($0) })
        #expect(said == Set(codes.map(\.rawValue)))
    }

    @Test func itStepsBehindOtherPrograms() throws {
        #expect(try Self.value("Nice") == "10")
        #expect(try Self.value("IOSchedulingClass") == "idle")
    }

    @Test func itIsTheOneThatTheProgramWrites() throws {
        #expect(try Project.text(of: "config/gallery-sync.service") == WatchUnit.packaged.text)
    }

    /// Seen with systemd 252: by one of these a user's unit waits for nothing, is not protected, or does not start.
    @Test(arguments: [
        "After=network-online", "Wants=network-online", "PrivateTmp", "ProtectSystem", "ProtectHome", "ReadWritePaths",
        "PrivateUsers", "PrivateDevices", "PrivateNetwork", "ProtectProc", "ProtectClock", "ProtectKernelModules",
        "ProtectKernelLogs", "CapabilityBoundingSet", "SecureBits", "IPAddressDeny", "RestrictFileSystems",
    ])
    func itSetsNothingThatAUserUnitLacks(_ key: String) {
        #expect(!WatchUnit.packaged.text.contains("\n\(key)"))
    }

    @Test(arguments: [
        ("NoNewPrivileges", "yes"), ("MemoryDenyWriteExecute", "yes"), ("LockPersonality", "yes"),
        ("RestrictRealtime", "yes"), ("RestrictSUIDSGID", "yes"), ("SystemCallArchitectures", "native"),
        ("SystemCallErrorNumber", "EPERM"), ("UMask", "0077"),
    ])
    func itGivesUpWhatItNeverNeeds(_ key: String, _ value: String) throws {
        #expect(try Self.value(key) == value)
    }

    /// The agent talks to buses, servers and the kernel; the worker takes the network, paths and calls from itself.
    @Test(arguments: [
        ("RestrictAddressFamilies", ["AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK"]),
        ("RestrictNamespaces", ["user", "net"]),
        (
            "SystemCallFilter",
            ["@system-service", "seccomp", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"]
        ),
    ])
    func itKeepsWhatAgentAndWorkerNeed(_ key: String, _ values: [String]) throws {
        #expect(try Set(Self.value(key).split(separator: " ").map(String.init)) == Set(values))
    }

    @Test func itsCommandParses() throws {
        let words = try Self.value("ExecStart").split(separator: " ").dropFirst().joined(separator: " ")
        #expect(try InvocationTests.invocation(words).command as? WatchRequest == WatchRequest())
    }
}
