package import MediaModel
package import Platform

extension WorkerWalls {
    /// Starts `program` as a worker that only confines itself, and returns which walls it got.
    ///
    /// Throws `Silence` where it ends without an answer.
    package static func ask(_ program: FilePath, within limit: Duration = .seconds(10)) async throws -> WorkerWalls {
        let (child, socket) = try start(program)
        defer { child.kill() }
        guard let answer = try await socket.receive(within: limit) else { throw Silence(exit: await child.exit) }
        return try WorkerWalls(message: answer.bytes)
    }

    /// Keeps only one end of the socket open here, so that a worker that ends closes the connection.
    private static func start(_ program: FilePath) throws(SystemError) -> (ChildProcess, MessageSocket) {
        let (kept, handed) = try MessageSocket.pair()
        let child = try ChildProcess.spawn(
            program, arguments: ["walls"], environment: ["SWIFT_BACKTRACE": "enable=no"],
            descriptors: [3: handed.descriptor])
        return (child, kept)
    }

    /// The worker ended without an answer, most likely because it could not confine itself.
    package struct Silence: Error, CustomStringConvertible {
        let exit: ChildProcess.ExitStatus

        /// How it ended, as a clause that begins with `it`.
        package var description: String {
            switch exit {
            case .exited(let code): "it ended with \(code) before it could confine itself"
            case .signalled(let signal): "it was ended by signal \(signal.rawValue)"
            }
        }
    }
}
