package import Platform
package import Supabase

/// The key of the destination or of a provider; never shown in a message, log or report.
package struct AccountKey: Sendable {
    /// The key itself; used in request headers and nowhere else.
    package let secret: String
    /// Where it was found, for `config show`.
    package let origin: String

    /// A key and where it was found.
    package init(secret: String, origin: String) {
        self.secret = secret
        self.origin = origin
    }

    /// The kind of key, by its own form and claims.
    package var kind: KeyKind { KeyKind(secret) }
}

extension AccountKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where the key was found, without the key.
    package var description: String { "key from \(origin)" }
    /// The same as `description`, so that a debugger does not show the key either.
    package var debugDescription: String { description }
    /// Only the origin, since `dump` and test failures would print the key.
    package var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}

extension AccountKey {
    /// The variable that holds the destination's key.
    package static let variable = "GALLERY_SYNC_KEY"
    /// The name of the credential that systemd provides (`LoadCredential=gallery-sync-key:…`).
    package static let credential = "gallery-sync-key"

    /// The places where one key may be, in the order of the search.
    package struct Places: Hashable, Sendable {
        /// The environment variable; an empty value counts as not set.
        var variable: String
        /// The file that a setting names; it must exist.
        var file: FilePath?
        /// The name of systemd's credential.
        var credential: String
        /// The file that holds the key if no other place names one; it need not exist.
        var standard: FilePath?

        /// The places for one account's key; a `nil` file is skipped.
        init(variable: String, file: FilePath?, credential: String, standard: FilePath? = nil) {
            self.variable = variable
            self.file = file
            self.credential = credential
            self.standard = standard
        }
    }

    /// The destination's key from the variable, `keyFile`, systemd's credentials, or else `standard`.
    ///
    /// `nil` without any. Throws where a file that was named cannot be read, is empty or is readable by other users.
    ///
    /// - Parameter standard: The file that holds a profile's key if no other place names one; it need not exist.
    package static func find(
        environment: [String: String], settings: Settings, user: UInt32, standard: FilePath? = nil
    ) throws(SettingsError) -> AccountKey? {
        try find(
            Places(
                variable: variable, file: settings.destination.keyFile, credential: credential, standard: standard),
            environment: environment, user: user)
    }

    /// The same search as above, with the keyring before `standard`.
    package static func find(
        environment: [String: String], settings: Settings, user: UInt32, standard: FilePath?, keyring: Keyring?,
        profile: String
    ) async throws(SettingsError) -> AccountKey? {
        if let key = try find(environment: environment, settings: settings, user: user) { return key }
        if let text = await keyring?.key(of: profile) {
            return AccountKey(secret: try checked(text, from: keyringOrigin), origin: keyringOrigin)
        }
        return try standard.flatMap { file throws(SettingsError) in try found(at: file, private: user) }
    }

    private static let keyringOrigin = "the keyring"

    /// The key in the first of `places` that has one; `nil` without any.
    ///
    /// Throws where a file that was named cannot be read, is empty or is readable by others than `user`.
    static func find(
        _ places: Places, environment: [String: String], user: UInt32
    ) throws(SettingsError) -> AccountKey? {
        if let text = environment[places.variable], !text.isEmpty {
            return AccountKey(secret: try checked(text, from: places.variable), origin: places.variable)
        }
        if let file = places.file {
            return try read(file, private: user)
        }
        if let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") {
            let file = FilePath(folder).appending(places.credential)
            if let key = try found(at: file, private: nil) { return key }
        }
        return try places.standard.flatMap { file throws(SettingsError) in try found(at: file, private: user) }
    }

    /// The key in `file`; `nil` where the file does not exist.
    private static func found(at file: FilePath, private user: UInt32?) throws(SettingsError) -> AccountKey? {
        try kind(of: file) == nil ? nil : try read(file, private: user)
    }

    /// What kind of file it is; `nil` if nothing has that name.
    private static func kind(of file: FilePath) throws(SettingsError) -> FileKind? {
        do throws(SystemError) {
            return try FileFacts.existing(file)?.kind
        } catch {
            throw unreadable(file, error)
        }
    }

    /// The key in `file`; where `user` is given, only that user may own and read the file.
    private static func read(_ file: FilePath, private user: UInt32?) throws(SettingsError) -> AccountKey {
        let (facts, bytes): (FileFacts, [UInt8])
        // Reading a pipe would wait for its writer, and gives the key only once.
        if try kind(of: file) == .other {
            throw SettingsError(source: file.display, reason: "is no file: a key is read from one at each start.")
        }
        do throws(SystemError) {
            let open = try OpenFile(reading: file)
            (facts, bytes) = (try open.facts(), try open.readAll(limit: sizeLimit))
        } catch {
            throw unreadable(file, error)
        }
        if let user, facts.mode & 0o077 != 0 || facts.owner != user {
            throw SettingsError(
                source: file.display, reason: "must be yours and readable by you alone. Run \"chmod 600 \(file)\".")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return AccountKey(secret: try checked(text, from: file.display), origin: file.display)
    }

    /// `text` without white space at its ends; throws where it cannot be a header's value.
    private static func checked(_ text: String, from source: String) throws(SettingsError) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let key = words.first, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw SettingsError(source: source, reason: "holds no key: expected one word of ASCII.")
        }
        return String(key)
    }

    /// Bytes; a key has a few hundred.
    private static let sizeLimit = 64 << 10

    private static func unreadable(_ file: FilePath, _ error: SystemError) -> SettingsError {
        SettingsError(source: file.display, reason: "cannot be read: \(error.reason).")
    }
}
