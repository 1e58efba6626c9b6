import Catalog
package import Platform
import Sync

/// The files that a sync would find new or changed.
package struct PreviewOrder: AgentRequest {
    /// Absolute; the roots of the settings when empty.
    let paths: [FilePath]

    /// A request about `paths`, absolute.
    package init(paths: [FilePath]) {
        self.paths = paths
    }

    /// Looks, and writes nothing.
    package func perform(by agent: Agent) async throws -> AgentReply<[PreviewedFile]> {
        .answered(try await agent.preview(paths))
    }
}

/// A file that a sync would find new or changed.
package struct PreviewedFile: Codable, Hashable, Sendable {
    /// The root's name, then the path below it.
    package let path: String
    /// Bytes.
    package let size: Int64
}

extension Agent {
    /// What a sync of `paths` would find new or changed; nothing is written.
    package func preview(_ paths: [FilePath]) async throws -> [PreviewedFile] {
        var found: [PreviewedFile] = []
        var targets: [(root: Root, below: FilePath)] = []
        for path in paths { targets.append(try await adopt(path)) }
        if targets.isEmpty { targets = try await defaultRoots() }
        for (root, below) in targets {
            do {
                found += try await scanner.preview(root, below: below).map {
                    PreviewedFile(path: "\(root.name)/\($0.0.display)", size: $0.1)
                }
            } catch let error as SystemError {
                throw Refusal(.temporary(error.description))
            }
        }
        return found
    }
}
