package import Platform

/// A configuration file's bytes and its path.
package struct ConfigurationFile: Hashable, Sendable {
    /// The file's path, named in errors and by `config show`.
    package let path: FilePath
    /// The file's content, not yet parsed.
    package let bytes: [UInt8]

    /// A configuration file that the caller has read.
    package init(path: FilePath, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The file at `path`; `nil` if it does not exist, unless the user named it: then it throws.
    package static func read(_ path: FilePath, isNamed: Bool) throws(SettingsError) -> ConfigurationFile? {
        do throws(SystemError) {
            return ConfigurationFile(path: path, bytes: try OpenFile(reading: path).readAll(limit: sizeLimit))
        } catch {
            if error.isMissing, !isNamed { return nil }
            let next = error.advice.map { " \($0)" } ?? ""
            throw SettingsError(source: path.display, reason: "cannot be read: \(error.reason).\(next)")
        }
    }

    /// Bytes; a configuration is written by hand, so it is small.
    private static let sizeLimit = 1 << 20
}
