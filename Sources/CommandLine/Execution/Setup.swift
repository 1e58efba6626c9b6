package import Configuration
import Gallery
package import Platform

/// The profile that a command works with: its settings and where it keeps its files.
package struct Setup: Sendable {
    /// The settings, and where each came from.
    package let loaded: LoadedSettings
    /// Where the profile keeps its files.
    package let locations: Locations
    /// Nil where there is no configuration file.
    package let configuration: ConfigurationFile?
    /// The user's home directory.
    package let home: FilePath

    /// A set-up from parts that were already read.
    package init(loaded: LoadedSettings, locations: Locations, configuration: ConfigurationFile?, home: FilePath) {
        self.loaded = loaded
        self.locations = locations
        self.configuration = configuration
        self.home = home
    }
}

extension Setup {
    /// Reads the configuration, variables and options; throws where the user has to correct one.
    package init(_ invocation: Invocation, in surroundings: Surroundings) throws {
        let request = try Setup.locationRequest(invocation, in: surroundings)
        home = try request.home()
        locations = try Locations(for: request)
        configuration = try ConfigurationFile.read(
            locations.configuration, isNamed: request.configuration != nil)
        var sources = SettingSources(home: home)
        sources.file = configuration
        sources.profile = Setup.profile(invocation, in: surroundings)
        sources.environment = surroundings.environment
        sources.overrides = invocation.overrides
        loaded = try sources.load()
    }

    /// The settings alone.
    package var settings: Settings { loaded.settings }

    /// The destination's key, from a variable, a file or the keyring; `nil` without one.
    package func key(in surroundings: Surroundings) async throws(SettingsError) -> AccountKey? {
        try await AccountKey.find(
            environment: surroundings.environment, settings: settings, user: surroundings.user,
            standard: locations.standardKey, keyring: Keyring(environment: surroundings.environment),
            profile: loaded.profile)
    }

    /// The profile that was asked for; `nil` means the default one.
    static func profile(_ invocation: Invocation, in surroundings: Surroundings) -> String? {
        invocation.profile ?? surroundings.environment["GALLERY_SYNC_PROFILE"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What determines the locations; options take precedence over variables.
    package static func locationRequest(
        _ invocation: Invocation, in surroundings: Surroundings
    ) throws(UsageError) -> LocationRequest {
        func path(_ option: FilePath?, _ variable: String) throws(UsageError) -> FilePath? {
            let text = surroundings.environment[variable].flatMap { $0.isEmpty ? nil : FilePath($0) }
            // Variables that a unit or a container sets have not been expanded by a shell.
            let expanded = surroundings.home.map { home in text?.expanded(home: home) } ?? text
            guard let path = option ?? expanded else { return nil }
            return try surroundings.absolute(path)
        }
        return try LocationRequest(
            environment: surroundings.environment,
            profile: profile(invocation, in: surroundings) ?? SettingSources.standardProfile,
            configuration: path(invocation.configuration, "GALLERY_SYNC_CONFIG"),
            stateDirectory: path(invocation.stateDirectory, "GALLERY_SYNC_STATE_DIR"), user: surroundings.user,
            accountHome: surroundings.accountHome)
    }
}
