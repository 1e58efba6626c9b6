package import Configuration
import FoundationEssentials
package import Platform

/// The lock of a profile's state: one process writes, and says who it is and where it listens.
package final class StateLock: Sendable {
    /// What the holder wrote into the lock.
    package struct Holder: Codable, Hashable, Sendable {
        /// The process that holds the lock.
        package let processID: Int32
        /// The path of its control socket, for people.
        package let socket: String
        /// The same path where it is not UTF-8, as below a directory that `--state-dir` names.
        private let socketBytes: FilePath?

        /// Where it listens.
        package var controlSocket: FilePath { socketBytes ?? FilePath(socket) }

        init(processID: Int32, socket: FilePath) {
            self.processID = processID
            self.socket = socket.display
            socketBytes = socket.string == nil ? socket : nil
        }
    }

    private let lock: FileLock
    private let directory: FilePath

    private init(_ lock: FileLock, in directory: FilePath) {
        self.lock = lock
        self.directory = directory
    }

    /// Throws `StateGone` where the state directory is not what it was when the lock was taken.
    package func check() throws(StateGone) {
        guard lock.isInPlace else { throw StateGone(directory: directory) }
    }

    /// Takes the lock, or says who holds it; the state directory is made when missing (0700).
    ///
    /// Throws `SystemError`, and `Refusal` where the state cannot be kept there, or is on a network file system, whose
    /// locks cannot be trusted.
    package static func acquire(_ locations: Locations) throws -> Attempt {
        do {
            return try take(locations)
        } catch let error as SystemError {
            throw Refusal(
                keepingNothingAt: locations.state, error, elsewhere: "with --state-dir or XDG_STATE_HOME") ?? error
        }
    }

    private static func take(_ locations: Locations) throws -> Attempt {
        try Directory.create(at: locations.state)
        let kind = try Directory(locations.state).fileSystem()
        guard !kind.isNetwork else {
            throw Refusal(.needsHuman(networkRefusal(locations.state, kind)))
        }
        let own = Holder(processID: Host.processID, socket: locations.controlSocket)
        let contents = Array(try JSONEncoder().encode(own))
        if let lock = try FileLock.acquire(locations.lock, contents: contents) {
            return .taken(StateLock(lock, in: locations.state))
        }
        return .held(try holder(locations))
    }

    /// Why no state may lie on a file system of that kind.
    package static func networkRefusal(_ state: FilePath, _ kind: FileSystemKind) -> String {
        "\(state.display) is on a network file system (\(kind.name)), whose locks cannot be trusted: name another "
            + "place with --state-dir or XDG_STATE_HOME."
    }

    /// What came of trying to take the lock.
    package enum Attempt: Sendable {
        case taken(StateLock)
        /// `nil` where the holder has not said who it is.
        case held(Holder?)
    }

    /// Who holds the lock; `nil` where no process does, or the holder has not said who it is.
    package static func holder(_ locations: Locations) throws -> Holder? {
        guard let bytes = try FileLock.holder(locations.lock) else { return nil }
        return try? JSONDecoder().decode(Holder.self, from: Data(bytes))
    }
}

/// The state directory was deleted, moved or replaced while this process held its lock.
package struct StateGone: Error, Hashable, CustomStringConvertible {
    let directory: FilePath
    /// A sentence with the directory and what to do.
    package var description: String {
        "\(directory.display) was deleted, moved or replaced while this process wrote to it, which ends it. Put it back, "
            + "or run it again to begin with a new one: what is stored is found in storage then."
    }
}
