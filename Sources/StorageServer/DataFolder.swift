package import Platform
import Synchronization

/// The folder of an embedded storage server, held by one process at a time.
///
///     lock  storage.sock  secret  service.key  anon.key  index.sqlite  requests.jsonl  outbox.jsonl  clean
///     objects/<2 hex>/<version>
final class DataFolder: Sendable {
    let path: FilePath
    private let lock: Mutex<FileLock?>
    let secret: String
    /// Whether the server before left no blob without a row; then there are none to look for.
    let wasLeftClean: Bool

    /// Makes the folder when it is missing, locks it, and finds or makes the secret.
    ///
    /// - Parameter secret: Used and not kept; without one the folder's own is used, made at first.
    init(_ path: FilePath, secret: String?) throws {
        try Directory.create(at: path)
        let contents = Array("\(Host.processID)\n".utf8)
        guard let lock = try FileLock.acquire(path.appending("lock"), contents: contents) else {
            throw StorageFolderInUse(folder: path, holder: try FileLock.holder(path.appending("lock")) ?? [])
        }
        self.path = path
        self.lock = Mutex(lock)
        self.secret = try secret ?? Self.ownSecret(in: path)
        wasLeftClean = try Self.takeNote(in: path)
    }

    /// Lets another process have the folder.
    func unlock() { lock.withLock { $0 = nil } }

    var socket: FilePath { path.appending("storage.sock") }
    var outbox: FilePath { path.appending("outbox.jsonl") }
    var requestLog: FilePath { path.appending("requests.jsonl") }
    var objects: FilePath { path.appending("objects") }

    /// The database's path, where a file lies that only its owner may read.
    ///
    /// It can only be opened where the bytes are UTF-8.
    var index: String {
        get throws {
            _ = try OpenFile(appending: path.appending("index.sqlite"))
            guard let text = path.appending("index.sqlite").string else {
                throw SystemError(call: "open", code: 84, path: path)  // EILSEQ
            }
            return text
        }
    }

    /// Writes the keys where programs of this account find them.
    func publish(service: String, anonymous: String) throws {
        let disk = try LocalDisk(directory: path)
        for (name, key) in [("service.key", service), ("anon.key", anonymous)] {
            let bytes = Array((key + "\n").utf8)
            if try disk.read(name) != bytes { try disk.replace(name, with: bytes) }
        }
    }

    private static let note = "clean"

    /// Notes that every blob has its row; to be called when nothing changes any more.
    func noteClean() throws(SystemError) {
        try LocalDisk(directory: path).replace(Self.note, with: [])
    }

    /// Whether the note was there; it is gone for good before the first blob is made.
    private static func takeNote(in path: FilePath) throws(SystemError) -> Bool {
        let disk = try LocalDisk(directory: path)
        guard try disk.read(note) != nil else { return false }
        try disk.remove(note)
        try disk.synchronizeDirectory()
        return true
    }

    private static func ownSecret(in path: FilePath) throws -> String {
        let disk = try LocalDisk(directory: path)
        if let kept = try disk.read("secret") {
            let text = String(decoding: kept, as: UTF8.self).prefix { $0 != "\n" }
            if !text.isEmpty { return String(text) }
        }
        let fresh = Randomness.bytes(32).hexadecimal
        try disk.replace("secret", with: Array((fresh + "\n").utf8))
        return fresh
    }
}

/// Another process serves this folder.
package struct StorageFolderInUse: Error, Hashable {
    package let folder: FilePath
    /// What the other process wrote into the lock: its id.
    package let holder: [UInt8]
}

extension StorageFolderInUse: CustomStringConvertible {
    package var description: String {
        let process = String(decoding: holder, as: UTF8.self).prefix { $0 != "\n" }
        return "\(folder.display): in use by process \(process)"
    }
}
