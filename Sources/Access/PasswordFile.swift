package import Configuration
package import Platform

/// A password on disk: the first line of a file that only its owner can read.
package enum PasswordFile {
    /// Reads the password from `file`, which must belong to `user`.
    ///
    /// Throws where it cannot be read, is readable by others, or begins with an empty line.
    package static func read(_ file: FilePath, user: UInt32) throws(SettingsError) -> String {
        let (facts, bytes): (FileFacts, [UInt8])
        do throws(SystemError) {
            let open = try OpenFile(reading: file)
            (facts, bytes) = (try open.facts(), try open.readAll(limit: 64 << 10))
        } catch {
            throw SettingsError(source: file.display, reason: "cannot be read: \(error.reason).")
        }
        guard facts.mode & 0o077 == 0, facts.owner == user else {
            let isOwn = facts.kind == .file && facts.owner == user
            throw SettingsError(
                source: file.display,
                reason: isOwn
                    ? "must be readable by you alone. Run \"chmod 600 \(file)\"."
                    : "is no file of yours: name one that you alone can read, or - for standard input.")
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, let password = String(validating: line, as: UTF8.self) else {
            throw SettingsError(source: file.display, reason: "holds no password in its first line.")
        }
        return password
    }
}
