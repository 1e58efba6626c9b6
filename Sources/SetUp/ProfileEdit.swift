package import CommandLine
package import Configuration
import Gallery
package import Platform

/// A profile in the configuration file, and the changes that `init` makes to it.
package struct ProfileEdit: Sendable {
    /// Its name.
    package let profile: String
    /// Where its file and its state are.
    package let locations: Locations
    /// The user's home directory, for which paths below it are written with `~`.
    let home: FilePath
    /// Nil where there is no file yet.
    package let file: ConfigurationFile?
    /// The profile in the file; `nil` for a new one.
    package let present: [String: SettingValue]?

    /// Reads the file; throws if it cannot be understood.
    package init(_ profile: String, locations: Locations, home: FilePath) throws {
        (self.profile, self.locations, self.home) = (profile, locations, home)
        file = try ConfigurationFile.read(locations.configuration, isNamed: false)
        guard let file else {
            present = nil
            return
        }
        var sources = SettingSources(home: home)
        sources.file = file
        _ = try sources.load()
        guard case .table(let top) = try SettingValue.parsing(file.bytes), case .table(let all)? = top["profiles"],
            case .table(let present)? = all[profile]
        else {
            self.present = nil
            return
        }
        self.present = present
    }

    /// The settings before any question: options, variables, and the profile if it exists.
    package func known(_ invocation: Invocation, in surroundings: Surroundings) throws -> LoadedSettings {
        try settings(invocation.overrides, in: surroundings)
    }

    /// The destination without any options; `nil` if none is chosen.
    package func presentDestination(in surroundings: Surroundings) throws -> Settings.Destination? {
        let destination = try settings([], in: surroundings).settings.destination
        return destination.isChosen ? destination : nil
    }

    private func settings(_ overrides: [SettingOverride], in surroundings: Surroundings) throws -> LoadedSettings {
        var sources = SettingSources(home: home)
        if present != nil { (sources.file, sources.profile) = (file, profile) }
        sources.environment = surroundings.environment
        sources.overrides = overrides
        return try sources.load()
    }

    /// The whole file with the answers in it.
    package func text(_ draft: ProfileDraft) throws -> String {
        let table = present.map { draft.table(home: home, in: $0) } ?? draft.table(home: home)
        return try ConfigurationText.text(profile: profile, .table(table), in: file?.bytes)
    }

    /// The set-up of the profile with these answers; writes nothing.
    package func setup(_ draft: ProfileDraft, _ invocation: Invocation, in surroundings: Surroundings) throws -> Setup {
        let file = ConfigurationFile(path: locations.configuration, bytes: Array(try text(draft).utf8))
        var sources = SettingSources(home: home)
        (sources.file, sources.profile) = (file, profile)
        sources.environment = surroundings.environment
        // The options are among the answers already, and must not win over answers that replaced them.
        sources.overrides = invocation.overrides.filter { !$0.key.hasPrefix("destination.") }
        return Setup(loaded: try sources.load(), locations: locations, configuration: file, home: home)
    }
}
