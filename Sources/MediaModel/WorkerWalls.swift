/// Which confinement the media workers have on this computer, as reported by one of them.
package struct WorkerWalls: Codable, Hashable, Sendable {
    /// A confinement that the kernel did not grant.
    package struct Refused: Codable, Hashable, Sendable {
        /// Such as `Landlock`.
        package let wall: String
        /// The kernel's reason in words, for `config check`.
        package let reason: String

        /// A confinement that the worker asked for and did not get.
        package init(wall: String, reason: String) {
            self.wall = wall
            self.reason = reason
        }
    }

    /// The names of the confinements in force, such as `filter of system calls`.
    package let granted: [String]
    /// The confinements that the kernel refused; empty where all are in force.
    package let refused: [Refused]

    /// The result of one worker's confinement.
    package init(granted: [String], refused: [Refused]) {
        self.granted = granted
        self.refused = refused
    }
}

extension WorkerWalls {
    /// The report as one message.
    package func encoded() throws -> [UInt8] { try MediaMessage.encode(self) }

    /// The report in a message; throws where the bytes are anything else.
    package init(message: [UInt8]) throws(MalformedMessage) {
        self = try MediaMessage.decode(WorkerWalls.self, from: message).head
    }
}
