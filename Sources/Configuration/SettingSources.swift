import Formats
package import Platform
import Providers
import Text

/// All sources of settings; flags take precedence over variables, variables over the file.
package struct SettingSources: Sendable {
    /// The configuration file's content; `nil` where there is no file.
    package var file: ConfigurationFile?
    /// The profile asked for; `nil` means `default`, which need not be in the file.
    package var profile: String?
    /// The whole environment; only `GALLERY_SYNC_*` is read.
    package var environment: [String: String] = [:]
    /// Values given outside the file, such as flags; of equal keys the last one wins.
    package var overrides: [SettingOverride] = []
    /// The directory that `~` stands for.
    var home: FilePath

    /// Sources that give nothing but the defaults.
    package init(home: FilePath) { self.home = home }
}

extension SettingSources {
    /// The profile used when none is named.
    package static let standardProfile = "default"

    /// Reads all sources; throws the first error that the user must correct.
    package func load() throws(SettingsError) -> LoadedSettings {
        var settings = Settings()
        var origins: [String: SettingOrigin] = [:]
        let profiles = try profiles()
        let values = try fileValues(profiles)
        let own = (values + overrides).filter { Setting.own($0.key) != nil }.map(\.key)
        for override in try values + variables(besides: own) + overrides {
            try apply(override, to: &settings)
            origins[override.key] = override.origin
        }
        settings.fitDefaults(origins: origins)
        settings.chooseDestination(origins: origins)
        settings.expand(home: home)
        let used = profile ?? Self.standardProfile
        let loaded = LoadedSettings(
            profile: used, otherProfiles: profiles[used] == nil ? profiles.keys.sorted() : [], settings: settings,
            origins: origins)
        try loaded.check()
        return loaded
    }

    private func apply(_ override: SettingOverride, to settings: inout Settings) throws(SettingsError) {
        guard let setting = Setting.named(override.key) else {
            throw SettingsError(override.origin, key: override.key, reason: "is not a setting.")
        }
        do throws(SettingFault) {
            if case .text(let text) = override.value, override.origin.isSpoken {
                try setting.assignSpoken(text, &settings)
            } else {
                try setting.assign(override.value, &settings)
            }
        } catch {
            if case .file(let path) = override.origin {
                let key = profilePath + override.key + error.place
                throw SettingsError(
                    source: path.display + place(of: key, override.key), key: key, reason: error.reason)
            }
            throw SettingsError(override.origin, at: error.place, reason: error.reason)
        }
    }

    /// The variables that are set and not empty; an unknown one is an error, since it is probably a typo.
    ///
    /// - Parameter own: The keys of the user's own providers, whose keys have variables too.
    private func variables(besides own: [String]) throws(SettingsError) -> [SettingOverride] {
        var found: [SettingOverride] = []
        let secrets = own.map { AccountKey.variable(of: ProviderName(rawValue: String($0.split(separator: ".")[1]))) }
        let names = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.variable, $0.key) })
        for (name, text) in environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix(Setting.variablePrefix) && !text.isEmpty
            && !(Setting.otherVariables + secrets).contains(name)
        {
            guard let key = names[name] else {
                let known = names.keys.sorted() + Setting.otherVariables
                throw SettingsError(
                    source: name, reason: "is not a setting.\(Spelling.suggestion(for: name, among: known))")
            }
            found.append(SettingOverride(key, .text(text), from: .environment(name)))
        }
        return found
    }

    /// The place of a fact about an added provider, such as `, line 4, column 12`; empty for other settings.
    private func place(of key: String, _ setting: String) -> String {
        guard !Setting.isKnown(setting), let file, let place = JSON5.place(of: key, in: file.bytes) else {
            return ""
        }
        return ", line \(place.line), column \(place.column)"
    }

    var profilePath: String { "profiles.\(profile ?? Self.standardProfile)." }
}

extension SettingOrigin {
    /// Whether the origin can only give text, as a command line does.
    fileprivate var isSpoken: Bool {
        switch self {
        case .environment, .flag: true
        case .standard, .file, .remembered: false
        }
    }
}
