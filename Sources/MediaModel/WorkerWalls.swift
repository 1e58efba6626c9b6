/// What confines the media workers of this computer, in the words of one of them.
package struct WorkerWalls: Codable, Hashable, Sendable {
    /// A wall that the kernel did not grant.
    package struct Refused: Codable, Hashable, Sendable {
        /// Such as `Landlock`.
        package let wall: String
        package let reason: String

        package init(wall: String, reason: String) {
            self.wall = wall
            self.reason = reason
        }
    }

    package let granted: [String]
    package let refused: [Refused]

    package init(granted: [String], refused: [Refused]) {
        self.granted = granted
        self.refused = refused
    }
}

extension WorkerWalls {
    /// As one message.
    package func encoded() throws -> [UInt8] { try MediaMessage.encode(self) }

    /// The walls in a message.
    package init(message: [UInt8]) throws(MalformedMessage) {
        self = try MediaMessage.decode(WorkerWalls.self, from: message).head
    }
}
