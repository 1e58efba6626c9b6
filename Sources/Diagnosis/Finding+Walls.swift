import MediaModel
package import Platform
import Sync
import Uploading

extension Finding {
    /// Whether the media worker starts, and which confinement the kernel refused.
    package static func walls(of program: FilePath) async -> Finding {
        do {
            return walls(try await WorkerWalls.ask(program))
        } catch {
            return .wrong(
                "media worker",
                "\(program.display) does not start: \(error). Without it files are stored without thumbnails.")
        }
    }

    static func walls(_ walls: WorkerWalls) -> Finding {
        let granted = "confined by " + walls.granted.joined(separator: ", ")
        guard !walls.refused.isEmpty else { return .fine("media worker", granted) }
        let refused = walls.refused.map { "\($0.wall) (\($0.reason))" }.joined(separator: ", ")
        return .doubtful("media worker", "\(granted); this kernel refuses \(refused).")
    }
}
