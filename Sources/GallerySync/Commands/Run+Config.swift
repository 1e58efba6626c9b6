import Gallery
import Platform

extension Run {
    /// `config show` and `config check`.
    func config(_ request: ConfigRequest) throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let key = Result { () throws(SettingsError) in
            try StorageKey.find(
                environment: surroundings.environment, settings: setup.settings, user: surroundings.user,
                standard: setup.locations.standardKey)
        }
        switch request {
        case .show:
            let listing = ConfigListing(setup: setup, key: try key.get())
            try invocation.isJSON ? console.result(bytes: listing.json()) : console.result(listing.lines)
            return .success
        case .check:
            let check = ConfigCheck(setup: setup, key: key)
            try invocation.isJSON ? console.result(bytes: check.json()) : console.result(check.lines(console.paint))
            return check.isFine ? .success : .configuration
        }
    }
}
