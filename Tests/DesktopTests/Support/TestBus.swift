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

    private init(in folder: FilePath, services: FileTree) throws {
        address = "unix:path=\(folder.appending("bus").display)"
        let settings = """
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <servicedir>\(folder.appending("services").display)</servicedir>
              <policy context="default">
                <allow send_destination="*"/>
                <allow receive_sender="*"/>
                <allow own="*"/>
              </policy>
            </busconfig>

            """
        try FileTree(["bus.conf": .file(Array(settings.utf8)), "services": .directory(services)]).write(to: folder)
        let words = ["--config-file=\(folder.appending("bus.conf").display)", "--nofork", "--nopidfile"]
        daemon = try ChildProcess.spawn(Self.program, arguments: words)
    }

    deinit { kill() }

    /// Calls `body` with a bus that listens.
    ///
    /// - Parameter services: Descriptions of the programs that it may start.
    static func with(services: FileTree = [:], _ body: (TestBus) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            let bus = try TestBus(in: folder, services: services)
            defer { bus.kill() }
            try await eventually("the bus listens") { BusConnection(.session, at: bus.address) != nil }
            try await body(bus)
        }
    }

    /// Calls `body` with a link that listens to the bus.
    static func withLink(_ body: (TestBus, BusLink) async throws -> Void) async throws {
        try await with { bus async throws in
            let link = try BusLink(at: bus.address, patience: patience)
            defer { link.end() }
            link.begin()
            try await body(bus, link)
        }
    }

    /// Calls `body` with a link that begins to listen once `prepare` has put its services on the bus.
    static func withLink<Services>(
        _ prepare: (TestBus) async throws -> Services, _ body: (TestBus, BusLink, Services) async throws -> Void
    ) async throws {
        try await with { bus async throws in
            let services = try await prepare(bus)
            let link = try BusLink(at: bus.address, patience: patience)
            defer { link.end() }
            link.begin()
            try await body(bus, link, services)
        }
    }

    /// Ends it without a farewell.
    func kill() { daemon.kill() }
}
