package import Platform

/// A configuration file's bytes and where they were.
package struct ConfigurationFile: Hashable, Sendable {
    package let path: FilePath
    package let bytes: [UInt8]

    package init(path: FilePath, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The file at `path`; nil where there is none, which is fine unless the user named it.
    package static func read(_ path: FilePath, isNamed: Bool) throws(SettingsError) -> ConfigurationFile? {
        do throws(SystemError) {
            return ConfigurationFile(path: path, bytes: try OpenFile(reading: path).readAll(limit: sizeLimit))
        } catch {
            if error.isMissing, !isNamed { return nil }
            throw SettingsError(source: path.display, reason: "cannot be read: \(error.reason).")
        }
    }

    /// Bytes; a configuration is written by hand.
    private static let sizeLimit = 1 << 20
}
