package import Configuration
package import Platform
package import Roots

extension RootRegistry {
    /// Adds a root of `library` as the settings describe it, with what is remembered of its disks.
    ///
    /// - Parameter rescued: The directory of rescued files.
    @discardableResult
    package func add(
        _ known: KnownRoot, of library: Library, settings: Settings, rescued: FilePath
    ) async throws -> Root {
        let root = Root(known, settings: settings, rescued: rescued)
        root.sight.remember(try await library.disks(of: known.id))
        return add(root)
    }
}
