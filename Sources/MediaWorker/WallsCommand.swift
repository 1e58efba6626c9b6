import Media
import MediaModel
import Platform

/// `gallery-sync-media walls`: confines itself as every worker does, and reports what the kernel refused.
enum WallsCommand {
    /// The descriptor under which the agent passes the socket.
    private static let socketNumber: Int32 = 3

    /// Sends the report over the inherited socket; returns the exit code.
    static func run() -> Int32 {
        do {
            let refusals = try Confinement.apply(keeping: Examiner.files.map { FilePath($0) })
            let granted = Confinement.Wall.allCases.filter { wall in !refusals.contains { $0.wall == wall } }
            let walls = WorkerWalls(
                granted: ["filter of system calls"] + granted.map(\.rawValue),
                refused: refusals.map { WorkerWalls.Refused(wall: $0.wall.rawValue, reason: "\($0.error)") })
            try MessageSocket(descriptor: socketNumber, acceptsFiles: false).send(walls.encoded())
            return 0
        } catch {
            MediaWorker.note("gallery-sync-media: \(error)")
            return 71
        }
    }
}
