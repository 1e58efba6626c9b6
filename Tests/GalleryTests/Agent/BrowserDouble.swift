import Desktop
import Platform
import Synchronization

/// A file manager that notes what it is asked to show.
final class BrowserDouble: FileBrowsing {
    private let files = Mutex<[FilePath]>([])

    var shown: [FilePath] { files.withLock { $0 } }

    func isThere() async -> Bool { true }

    func show(_ files: [FilePath]) async -> Bool {
        self.files.withLock { $0 += files }
        return true
    }
}
