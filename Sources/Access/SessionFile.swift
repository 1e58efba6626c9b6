package import Configuration
import FoundationEssentials
package import Platform

/// `session.json`: readable by its owner only, replaced durably, renewed by one process at a time.
package struct SessionFile: Sendable {
    private let disk: any Disk
    /// The lock that is held during a renewal; `nil` for none, as in tests.
    private let lockPath: FilePath?

    /// The name of the file in the state directory.
    package static let name = "session.json"

    /// A file on `disk`; without `lockPath` the caller is the only process.
    package init(disk: any Disk, lockPath: FilePath?) {
        self.disk = disk
        self.lockPath = lockPath
    }

    /// The file of a profile; creates a missing state directory (0700).
    package init(_ locations: Locations) throws(SystemError) {
        try Directory.create(at: locations.state)
        self.init(
            disk: try LocalDisk(directory: locations.state), lockPath: locations.state.appending("session.lock"))
    }

    /// The file of a profile; `nil` if there is none, and it creates nothing.
    package static func existing(_ locations: Locations) throws(SystemError) -> SessionFile? {
        guard try FileFacts.existing(locations.state.appending(name)) != nil else { return nil }
        return try SessionFile(locations)
    }

    /// The saved session, `nil` if there is none; throws `Unreadable` if it cannot be decoded.
    package func read() throws -> SavedSession? {
        guard let bytes = try disk.read(Self.name) else { return nil }
        do {
            return try JSONDecoder().decode(SavedSession.self, from: Data(bytes))
        } catch {
            throw Unreadable()
        }
    }

    /// Runs `body`, which may read and change the file, while no other process does; throws `Busy` if one takes long.
    ///
    /// Renewals hold another lock while they wait for the server, because signing in or out must not wait for that.
    /// This lock is held for moments, so waiting for it may block a thread.
    func change<Value>(_ body: () throws -> Value) throws -> Value {
        guard let path = lockPath?.parent.appending(Self.changeLockName) else {
            return try body()
        }
        guard let lock = try FileLock.acquire(path, attempts: 5_000) else { throw Busy() }
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    static let changeLockName: FilePath = "session.change.lock"

    /// Replaces the file durably; after a failure the former content is still there.
    package func write(_ saved: SavedSession) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        try disk.replace(Self.name, with: Array(try encoder.encode(saved)))
    }

    /// Removes the file durably; idempotent.
    package func remove() throws(SystemError) {
        try disk.remove(Self.name)
        try disk.remove(Self.name + ".new")
        try disk.synchronizeDirectory()
    }

    /// Tries to take the right to renew, without waiting; it lasts as long as the lock is referenced.
    func lock() throws(SystemError) -> Turn {
        guard let lockPath else { return .mine(nil) }
        return try FileLock.acquire(lockPath).map(Turn.mine) ?? .held
    }

    /// Whether this process may renew now.
    package enum Turn: Sendable {
        case mine(FileLock?)
        case held
    }

    /// Another process has been changing the file for seconds.
    struct Busy: Error, CustomStringConvertible {
        var description: String { "Another process has been writing \(SessionFile.name) for seconds. Run this again." }
    }

    /// The file exists and cannot be decoded.
    package struct Unreadable: Error, CustomStringConvertible {
        /// The sentence for the user, who repairs it with a new sign-in.
        package var description: String {
            "\(SessionFile.name) cannot be read. Run \"gallery-sync login\" to write it anew."
        }
    }
}
