package import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
package import Roots
import Sync

extension Setup {
    /// The root of rescued files.
    var generated: FilePath { settings.rescue.folder ?? locations.generated }

    /// The directories that this program fills.
    var own: OwnPlaces { OwnPlaces(locations, generated: generated) }

    /// A scanner that looks at disks, and notifies no stage.
    func scanner(of library: Library) -> Scanner {
        Scanner(library: library, wake: WakeEvent(), own: own) { Date() }
    }

    /// The roots of `library` with the remembered facts of their disks, for a command without an agent.
    package func roots(of library: Library) async throws -> RootRegistry {
        let roots = RootRegistry()
        for known in try await RenamedRoots(library: library, configured: settings.roots).roots() {
            try await roots.add(known, of: library, settings: settings, rescued: generated)
        }
        return roots
    }
}
