package import Platform
package import Supabase

/// The key of the destination: a secret that no message, log or file of ours shows.
package struct StorageKey: Sendable {
    /// The key itself; goes into request headers and nowhere else.
    package let secret: String
    /// Where it was found, for `config show`.
    package let origin: String

    /// What the key is, by its own words.
    package var kind: KeyKind { KeyKind(secret) }
}

extension StorageKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "key from \(origin)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}

extension StorageKey {
    /// The variable that holds a key.
    package static let variable = "GALLERY_SYNC_KEY"
    /// The name of a credential that systemd hands over (`LoadCredential=gallery-sync-key:…`).
    package static let credential = "gallery-sync-key"

    /// The key from the variable, else `destination.keyFile`, else systemd's credentials, else `standard`.
    ///
    /// nil without any. Throws where a file that was named cannot be read, is empty or can be read by others.
    ///
    /// - Parameter standard: The file that holds a profile's key where nothing names one; it need not be there.
    package static func find(
        environment: [String: String], settings: Settings, user: UInt32, standard: FilePath? = nil
    ) throws(SettingsError) -> StorageKey? {
        if let text = environment[variable], !text.isEmpty {
            return StorageKey(secret: try checked(text, from: variable), origin: variable)
        }
        if let file = settings.destination.keyFile {
            return try read(file, private: user)
        }
        if let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") {
            let file = FilePath(folder).appending(credential)
            if try isThere(file) { return try read(file, private: nil) }
        }
        guard let standard, try isThere(standard) else { return nil }
        return try read(standard, private: user)
    }

    private static func isThere(_ file: FilePath) throws(SettingsError) -> Bool {
        do throws(SystemError) {
            return try FileFacts.existing(file) != nil
        } catch {
            throw unreadable(file, error)
        }
    }

    /// The key in `file`, which must belong to `user` and be readable by nobody else, unless that is nil.
    private static func read(_ file: FilePath, private user: UInt32?) throws(SettingsError) -> StorageKey {
        let (facts, bytes): (FileFacts, [UInt8])
        do throws(SystemError) {
            let open = try OpenFile(reading: file)
            (facts, bytes) = (try open.facts(), try open.readAll(limit: sizeLimit))
        } catch {
            throw unreadable(file, error)
        }
        if let user, facts.mode & 0o077 != 0 || facts.owner != user {
            throw SettingsError(
                source: file.display, reason: "must be yours and readable by nobody else. Run \"chmod 600 \(file)\".")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return StorageKey(secret: try checked(text, from: file.display), origin: file.display)
    }

    /// `text` without white space at its ends, if it can stand in a header.
    private static func checked(_ text: String, from source: String) throws(SettingsError) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let key = words.first, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw SettingsError(source: source, reason: "holds no key: expected one word of ASCII.")
        }
        return String(key)
    }

    /// Bytes; a key is a few hundred.
    private static let sizeLimit = 64 << 10

    private static func unreadable(_ file: FilePath, _ error: SystemError) -> SettingsError {
        SettingsError(source: file.display, reason: "cannot be read: \(error.reason).")
    }
}
