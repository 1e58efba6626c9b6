package import Platform
import Synchronization

/// The folder of an embedded storage server, used by one process at a time.
///
///     lock  storage.sock  secret  service.key  anon.key  index.sqlite  requests.jsonl  outbox.jsonl
///     objects/buckets.json  objects/newest  objects/<2 hex>/<version>  lost/<version>
///
/// Every blob carries its row, as an extended attribute or in `<version>.row` beside it (`Blobs+Rows.swift`): only a
/// copy that keeps attributes (`cp -a`, `rsync -X`) is complete.
package final class DataFolder: Sendable {
    /// The folder itself, absolute.
    package let path: FilePath
    private let lock: Mutex<FileLock?>
    /// Whether nothing can be written here, so that the folder is only read, for example on a read-only disk.
    package let isReadOnly: Bool
    /// The secret that tokens are signed with.
    package let secret: String

    /// The fewest characters of a secret: HS256 needs a key as long as its hash (RFC 7518, section 3.2).
    static let secretLength = 32

    /// Creates the folder when it is missing, locks it, and reads or creates the secret.
    ///
    /// A folder that cannot be written is only read; other readers can then hold its lock as well.
    ///
    /// - Parameters:
    ///   - secret: Used but not stored; without it the folder's own is used, which the first start creates. Throws
    ///     `WeakSecret` if it is too short.
    ///   - room: The folder also counts as one that cannot be written if its disk has fewer bytes than that.
    package convenience init(_ path: FilePath, secret: String?, room: Int64 = 0) throws {
        try self.init(path, secret: secret) { Directory.refusal(at: $0, room: room) }
    }

    /// - Parameter refusal: The error that keeps this process from writing to a folder; `nil` if it can write.
    init(_ path: FilePath, secret: String?, refusal: (FilePath) -> SystemError?) throws {
        if let secret { try WeakSecret.check(secret, "GALLERY_SYNC_JWT_SECRET") }
        try Directory.create(at: path)
        let lockPath = path.appending("lock")
        isReadOnly = try Self.isToBeRead(path, refusal(path))
        let contents = Array("\(Host.processID)\n".utf8)
        let lock = try isReadOnly ? FileLock.share(lockPath) : FileLock.acquire(lockPath, contents: contents)
        guard let lock else {
            throw StorageFolderInUse(folder: path, holder: try FileLock.holder(lockPath) ?? [])
        }
        self.path = path
        self.lock = Mutex(lock)
        self.secret = try secret ?? Self.ownSecret(in: path)
    }

    /// Whether the folder can only be read; throws if it can neither be written nor has anything to read.
    private static func isToBeRead(_ path: FilePath, _ refusal: SystemError?) throws(SystemError) -> Bool {
        guard let refusal else { return false }
        for name in ["lock", "index.sqlite"] {
            guard try FileFacts.existing(path.appending(name)) != nil else { throw refusal }
        }
        return true
    }

    /// Whether any process uses the folder at `path`, which need not exist.
    package static func isInUse(_ path: FilePath) throws(SystemError) -> Bool {
        try FileLock.holder(path.appending("lock")) != nil
    }

    /// Releases the folder, so that another process may use it.
    package func unlock() { lock.withLock { $0 = nil } }

    /// The Unix socket that the server listens on where no port is named.
    package var socket: FilePath { path.appending("storage.sock") }
    /// The e-mails that were not sent, a line of JSON each.
    package var outbox: FilePath { path.appending("outbox.jsonl") }
    /// The log of requests, a line of JSON each.
    package var requestLog: FilePath { path.appending("requests.jsonl") }
    /// The folder of the blobs.
    package var objects: FilePath { path.appending("objects") }

    /// The database's path; throws where its bytes are not UTF-8, since SQLite then cannot open it.
    ///
    /// Only SQLite may open it (see `Connection`).
    package var index: String {
        get throws {
            guard let text = path.appending("index.sqlite").string else {
                throw SystemError(call: "open", code: 84, path: path)  // EILSEQ
            }
            return text
        }
    }

    /// Writes the keys into the folder, where only this account's programs can read them.
    ///
    /// In a read-only folder it only keeps the keys that were written before.
    package func publish(service: String, anonymous: String) throws {
        guard !isReadOnly else { return }
        let disk = try LocalDisk(directory: path)
        for (name, key) in [("service.key", service), ("anon.key", anonymous)] {
            let bytes = Array((key + "\n").utf8)
            if try disk.read(name) != bytes { try disk.replace(name, with: bytes) }
        }
    }

    private static func ownSecret(in path: FilePath) throws -> String {
        let disk = try LocalDisk(directory: path)
        if let kept = try disk.read("secret") {
            // `prefix` compares characters: a line end of two bytes is one character, and is not equal to "\n".
            let text = String(decoding: kept, as: UTF8.self).prefix { !$0.isNewline }
            if !text.isEmpty {
                try WeakSecret.check(text, path.appending("secret").display)
                return String(text)
            }
        }
        let fresh = Randomness.bytes(32).hexadecimal
        try disk.replace("secret", with: Array((fresh + "\n").utf8))
        return fresh
    }
}

/// A folder that can only be read was asked for a change.
package struct ReadOnlyFolder: Error, Hashable, CustomStringConvertible {
    let folder: FilePath

    /// A sentence with the folder, what can be done with it, and what to do for more.
    package var description: String {
        "\(folder.display) can only be read: what is stored there can be looked at and restored. To change anything, "
            + "mount its disk for writing, or let this user write there."
    }
}

/// Another process serves this folder.
package struct StorageFolderInUse: Error, Hashable {
    /// The data folder that is in use.
    let folder: FilePath
    /// What the other process wrote into the lock: its process id.
    let holder: [UInt8]
}

extension StorageFolderInUse: CustomStringConvertible {
    /// A sentence with the folder and the other process's id.
    package var description: String {
        let process = String(decoding: holder, as: UTF8.self).prefix { $0 != "\n" }
        return "\(folder.display): in use by process \(process)"
    }
}

/// A secret so short that it could be guessed by trying all against one token.
package struct WeakSecret: Error, Hashable, CustomStringConvertible {
    /// The setting that the secret came from.
    let origin: String
    let length: Int

    /// A sentence with the setting, the length and the required length; never the secret.
    package var description: String {
        "\(origin): the secret has \(length) characters, and needs at least \(DataFolder.secretLength)"
    }

    static func check(_ secret: some StringProtocol, _ origin: String) throws(WeakSecret) {
        guard secret.utf8.count < DataFolder.secretLength else { return }
        throw WeakSecret(origin: origin, length: secret.utf8.count)
    }
}
