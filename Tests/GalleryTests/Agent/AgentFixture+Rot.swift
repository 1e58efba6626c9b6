import Platform
import TestSupport

extension AgentFixture {
    /// Flips bits of each object with those bytes on the server's disk, which goes on to say what it always said of it.
    func rot(_ bytes: [UInt8]) throws {
        let blobs = try Directory(folder.appending("storage/objects"))
        for part in try blobs.names() where try blobs.facts(of: part).kind == .directory {
            let folder = try blobs.open(directory: part)
            for name in try folder.names() {
                let blob = try folder.open(writing: name)
                if try blob.readAll() == bytes { try blob.write(bytes.map { $0 ^ 1 }, at: 0) }
            }
        }
    }
}
