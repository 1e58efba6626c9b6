package import Configuration
import Gallery
package import Platform

/// The values that `init` writes into a profile.
package struct ProfileDraft: Hashable, Sendable {
    /// Roots that the profile does not have yet.
    package var roots: [Settings.Root]
    /// Where it stores.
    package var destination: Settings.Destination

    /// A draft of what was chosen.
    package init(roots: [Settings.Root] = [], destination: Settings.Destination = Settings().destination) {
        self.roots = roots
        self.destination = destination
    }

    /// The profile as the configuration writes it: only what was chosen.
    ///
    /// - Parameter home: Paths below it begin with `~/`.
    package func table(home: FilePath) -> [String: SettingValue] {
        var table: [String: SettingValue] = ["destination": .table(destinationTable(home: home))]
        if !roots.isEmpty {
            table["roots"] = .list(
                roots.map { root in
                    let path = SettingValue.text(Self.short(root.path, home: home))
                    return root.autoUpload ? path : .table(["path": path, "autoUpload": .flag(false)])
                })
        }
        return table
    }

    /// The profile `present` with the chosen values; all its other settings stay.
    func table(home: FilePath, in present: [String: SettingValue]) -> [String: SettingValue] {
        var table = present
        let fresh = self.table(home: home)
        var destination: [String: SettingValue] = [:]
        if case .table(let known)? = present["destination"] { destination = known }
        // On this computer the usual bucket need not be written, but stays if it was.
        for key in Self.chosen where key != "bucket" || destination[key] != .text(self.destination.bucket) {
            destination[key] = nil
        }
        // A value may also be written by its dotted key, and none may stand twice.
        for key in Self.chosen { table["destination.\(key)"] = nil }
        if case .table(let chosen)? = fresh["destination"] { destination.merge(chosen) { $1 } }
        table["destination"] = .table(destination)
        guard case .list(let added)? = fresh["roots"] else { return table }
        switch present["roots"] {
        case .list(let known)?: table["roots"] = .list(known + added)
        case let known?: table["roots"] = .list([known] + added)
        case nil: table["roots"] = .list(added)
        }
        return table
    }

    /// The settings below `destination` that `init` asks for.
    private static let chosen = ["local", "url", "bucket", "prefix", "storageBudget", "keyFile"]

    private func destinationTable(home: FilePath) -> [String: SettingValue] {
        var table: [String: SettingValue] = [:]
        let isUsual = destination.bucket == Settings().destination.bucket
        table["bucket"] = destination.local && isUsual ? nil : .text(destination.bucket)
        table["prefix"] = destination.prefix.isEmpty ? nil : .text(destination.prefix)
        if let budget = destination.storageBudget { table["storageBudget"] = SettingValue(budget) }
        if destination.local {
            table["local"] = .flag(true)
        } else {
            table["url"] = destination.url.map(SettingValue.text)
            table["keyFile"] = destination.keyFile.map { .text(Self.short($0, home: home)) }
        }
        return table
    }

    private static func short(_ path: FilePath, home: FilePath) -> String {
        if path == home { return "~" }
        return path.relative(to: home).map { "~/" + $0.display } ?? path.display
    }
}
