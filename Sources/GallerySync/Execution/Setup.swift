import Configuration
import Gallery
import Platform

/// The profile that a command works with: its settings and where it keeps its files.
struct Setup: Sendable {
    let loaded: LoadedSettings
    let locations: Locations
    /// Nil where there is no configuration file.
    let configuration: ConfigurationFile?
    let home: FilePath
}

extension Setup {
    /// Reads the configuration, variables and options; throws where the user has to correct one.
    init(_ invocation: Invocation, in surroundings: Surroundings) throws(SettingsError) {
        let request = Setup.locationRequest(invocation, in: surroundings)
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

    var settings: Settings { loaded.settings }

    /// The destination's key, from a variable, a file or the keyring; `nil` without one.
    func key(in surroundings: Surroundings) async throws(SettingsError) -> AccountKey? {
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
    static func locationRequest(_ invocation: Invocation, in surroundings: Surroundings) -> LocationRequest {
        func path(_ option: FilePath?, _ variable: String) -> FilePath? {
            let text = surroundings.environment[variable].flatMap { $0.isEmpty ? nil : FilePath($0) }
            return (option ?? text).map(surroundings.absolute)
        }
        return LocationRequest(
            environment: surroundings.environment,
            profile: profile(invocation, in: surroundings) ?? SettingSources.standardProfile,
            configuration: path(invocation.configuration, "GALLERY_SYNC_CONFIG"),
            stateDirectory: path(invocation.stateDirectory, "GALLERY_SYNC_STATE_DIR"), user: surroundings.user,
            accountHome: surroundings.accountHome)
    }
}
