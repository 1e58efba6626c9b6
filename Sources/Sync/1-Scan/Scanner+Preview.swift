import Catalog
package import Platform
import Records
package import Roots

/// A file that a sync would find new or changed.
package struct PreviewedFile: Encodable, Hashable, Sendable {
    /// The root's name, then the path below it.
    package let path: String
    /// Bytes.
    package let size: Int64
}

extension Scanner {
    /// Hands the files below `top` that a scan would find new or changed to `take`, as it meets them; writes nothing.
    ///
    /// Returns why nothing may be concluded from what lies at the root now, or `nil`.
    ///
    /// - Parameter withRetries: Whether files count that could not be read and are unchanged.
    package func preview(
        _ root: Root, below top: FilePath = FilePath(bytes: []), withRetries: Bool = true,
        _ take: ([PreviewedFile]) throws -> Void
    ) async throws -> RootAbsence? {
        if let absence = try await absence(of: root, isRemembering: false) { return absence }
        let failure = try await walk(root, below: top, settle: .zero) { look in
            var found: [PreviewedFile] = []
            for directory in look.directories {
                let path = FilePath(root.name).appending(directory.path)
                let news = try await library.preview(directory, root: root.known.id, withRetries: withRetries)
                found += news.map { PreviewedFile(path: path.appending($0.name).display, size: $0.size) }
            }
            if !found.isEmpty { try take(found) }
        }
        return failure.map { RootAbsence($0.description) }
    }
}
