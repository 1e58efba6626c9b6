import Catalog
import Configuration
package import Platform
import Queue
package import Records
package import Restoring
import Supabase

extension Agent {
    /// What brings the stored versions of `files` into `directory`, as `restore` does; files without one are left out.
    package func restorer(of files: [RootedPath], into directory: FilePath) async throws -> Restorer {
        var parts = Restorer.Setup(storage: storage, destination: setup.destination, directory: directory)
        parts.objects = try await objects(of: files)
        parts.log = setup.log
        parts.clock = setup.clock
        return Restorer(parts)
    }

    private func objects(of files: [RootedPath]) async throws -> [ListedObject] {
        var objects: [ListedObject] = []
        for file in files {
            let record = try await library.fileRecord(root: file.root, path: file.path)
            let receipt = record?.receipts.first { $0.role == .original && $0.destination == setup.destination.name }
            if let receipt { objects.append(ListedObject(key: receipt.key.text, size: receipt.size)) }
        }
        return objects
    }
}
