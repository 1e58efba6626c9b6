package import Configuration
import FoundationEssentials
package import Platform

/// `session.json`: readable by its owner only, replaced durably, renewed by one process at a time.
package struct SessionFile: Sendable {
    private let disk: any Disk
    /// Held during a renewal; `nil` where it is no path's business, as in tests.
    private let lockPath: FilePath?

    package static let name = "session.json"

    package init(disk: any Disk, lockPath: FilePath?) {
        self.disk = disk
        self.lockPath = lockPath
    }

    /// The file of a profile; its state directory is made when missing (0700).
    package init(_ locations: Locations) throws(SystemError) {
        try Directory.create(at: locations.state)
        self.init(
            disk: try LocalDisk(directory: locations.state), lockPath: locations.state.appending("session.lock"))
    }

    /// The file of a profile that has one; nothing is made.
    package static func existing(_ locations: Locations) throws(SystemError) -> SessionFile? {
        guard try FileFacts.existing(locations.state.appending(name)) != nil else { return nil }
        return try SessionFile(locations)
    }

    /// What is saved; throws `Unreadable` where it is not what was written.
    package func read() throws -> SavedSession? {
        guard let bytes = try disk.read(Self.name) else { return nil }
        do {
            return try JSONDecoder().decode(SavedSession.self, from: Data(bytes))
        } catch {
            throw Unreadable()
        }
    }

    /// Returns when `saved` is on the disk itself; after a failure the former content is still there.
    package func write(_ saved: SavedSession) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        try disk.replace(Self.name, with: Array(try encoder.encode(saved)))
    }

    /// Forgets the sign-in.
    package func remove() throws(SystemError) {
        try disk.remove(Self.name)
        try disk.remove(Self.name + ".new")
        try disk.synchronizeDirectory()
    }

    /// The right to renew, until the lock goes away; `held` while another process renews.
    package func lock() throws(SystemError) -> Turn {
        guard let lockPath else { return .mine(nil) }
        return try FileLock.acquire(lockPath).map(Turn.mine) ?? .held
    }

    package enum Turn: Sendable {
        case mine(FileLock?)
        case held
    }

    /// The file is there and says nothing.
    package struct Unreadable: Error, CustomStringConvertible {
        package var description: String {
            "\(SessionFile.name) cannot be read. Run \"gallery-sync login\" to write it anew."
        }
    }
}
