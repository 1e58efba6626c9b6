import Platform
import TestSupport

@testable import Desktop

/// A real bus for one test, which no program of this computer knows and which starts none of them.
final class TestBus: Sendable {
    let address: String
    private let daemon: ChildProcess

    private static let program: FilePath = "/usr/bin/dbus-daemon"
    /// Whether this machine has what it takes.
    static let isThere = (try? FileFacts.existing(program)) != nil

    private init(in folder: FilePath) throws {
        address = "unix:path=\(folder.appending("bus").display)"
        let settings = """
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <policy context="default">
                <allow send_destination="*"/>
                <allow receive_sender="*"/>
                <allow own="*"/>
              </policy>
            </busconfig>

            """
        try FileTree(["bus.conf": .file(Array(settings.utf8))]).write(to: folder)
        let words = ["--config-file=\(folder.appending("bus.conf").display)", "--nofork", "--nopidfile"]
        daemon = try ChildProcess.spawn(Self.program, arguments: words)
    }

    deinit { kill() }

    /// Calls `body` with a bus that listens.
    static func with(_ body: (TestBus) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            let bus = try TestBus(in: folder)
            defer { bus.kill() }
            try await eventually("the bus listens") { BusConnection(.session, at: bus.address) != nil }
            try await body(bus)
        }
    }

    /// Calls `body` with a link that listens to the bus.
    static func withLink(_ body: (TestBus, BusLink) async throws -> Void) async throws {
        try await with { bus in
            let link = try BusLink(at: bus.address)
            defer { link.end() }
            link.begin()
            try await body(bus, link)
        }
    }

    /// Ends it without a farewell.
    func kill() { daemon.kill() }
}
