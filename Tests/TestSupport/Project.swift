package import Foundation

/// The files of the project that tests read: what ships beside the programs, and recordings.
package enum Project {
    /// The folder that `Package.swift` lies in.
    package static let folder = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// A file's bytes, by its path in the project.
    package static func data(of path: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(path))
    }

    /// A file's text, by its path in the project.
    package static func text(of path: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }
}
