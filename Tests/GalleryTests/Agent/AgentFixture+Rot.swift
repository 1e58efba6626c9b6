import Configuration
import Platform
import TestSupport

extension AgentFixture {
    /// Flips bits of each object with those bytes on the server's disk, which goes on to say what it always said of it.
    ///
    /// - Parameter length: How many bytes are left of them, which then are right; `nil` for all, each with a bit flipped.
    func rot(_ bytes: [UInt8], cutTo length: Int64? = nil) throws {
        let blobs = try Directory(folder.appending("storage/objects"))
        for part in try blobs.names() where try blobs.facts(of: part).kind == .directory {
            let folder = try blobs.open(directory: part)
            for name in try folder.names() {
                let blob = try folder.open(writing: name)
                guard try blob.readAll() == bytes else { continue }
                if let length { try blob.truncate(to: length) } else { try blob.write(bytes.map { $0 ^ 1 }, at: 0) }
            }
        }
    }

    /// Replaces the queue's files and journals by what cannot be read.
    func damageQueue() throws {
        let state = try Directory(locations.state)
        for name in try state.names() where name.display.hasPrefix("queue.j") {
            let file = try state.open(writing: name)
            try file.truncate(to: 0)
            try file.write(Array("damage\n".utf8), at: 0)
        }
    }
}
