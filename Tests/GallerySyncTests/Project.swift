import Foundation
import Testing

/// The files of the project that tests compare with the program.
enum Project {
    /// A file's text, by its path in the project.
    static func text(of path: String) throws -> String {
        let project = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return try String(contentsOf: project.appendingPathComponent(path), encoding: .utf8)
    }
}
